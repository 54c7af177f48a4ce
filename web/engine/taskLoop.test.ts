import { expect, test } from 'vitest';
import { inTurns } from './taskLoop';

test('work is done turn by turn, and something else in between', async () => {
  const done: string[] = [];
  const work = inTurns(() => {
    done.push('turn');
    if (done.length === 1) setTimeout(() => done.push('else'));
    return !done.includes('else');
  });
  expect(done).toEqual([]);
  await work;
  expect(done.slice(0, 2)).toContain('turn');
  expect(done.slice(-2)).toEqual(['else', 'turn']);
});

test('what a turn throws ends the work', async () => {
  let turns = 0;
  const work = inTurns(() => {
    turns++;
    if (turns === 2) throw new Error('the second turn');
    return true;
  });
  await expect(work).rejects.toThrow('the second turn');
  expect(turns).toBe(2);
});
