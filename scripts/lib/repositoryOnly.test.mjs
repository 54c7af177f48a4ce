import { expect, test } from 'vitest';
import { repositoryOnly } from './repositoryOnly.mjs';
import { stubMachine } from './stubMachine.mjs';

test('programs that only some machines have fail with a reason, and others are found', async () => {
  const { machine, calls } = stubMachine({ programs: { 'trace-cmd': '', cargo: '' } });
  const env = repositoryOnly(machine);
  const asked = await machine.gather('trace-cmd', ['report'], { env });
  expect(asked).toEqual({ ok: false, output: 'npm test does without trace-cmd: npm run test:all may ask it\n' });
  expect((await machine.gather('cargo', ['test'], { env })).ok).toBe(true);
  expect(calls()).toEqual(['cargo test']);
});

test('nothing of the environment leads outside the repository', async () => {
  const { machine } = stubMachine({
    programs: { show: 'echo "$CORELANE_TRACES,$CORELANE_TEST_ALL,$OTHER"' },
    env: { CORELANE_TRACES: '/traces', CORELANE_TEST_ALL: '1', OTHER: 'kept' },
  });
  expect((await machine.gather('show', [])).output).toBe('/traces,1,kept\n');
  expect((await machine.gather('show', [], { env: repositoryOnly(machine) })).output).toBe(',,kept\n');
});
