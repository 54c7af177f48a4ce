import { expect, test } from 'vitest';
import { HoverPicker } from './picker';

/** What was found, in order, and the queries that are still to be answered. */
function setUp() {
  const found: (string | null)[] = [];
  const owed: ((answer: string) => void)[] = [];
  const ask = () => new Promise<string>((resolve) => owed.push(resolve));
  const picker = new HoverPicker<number, string>(ask, Object.is, (answer) => found.push(answer));
  const answer = async (text: string) => {
    owed.shift()?.(text);
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { found, picker, answer };
}

test('what is under the pointer is found, and again where it has moved meanwhile', async () => {
  const { found, picker, answer } = setUp();
  picker.move(1);
  picker.move(2);
  await answer('one');
  expect(found).toEqual([]);
  await answer('two');
  expect(found).toEqual(['two']);
  expect(picker.idle).toBe(true);
});

test('an answer that comes after the pointer has left is nothing that is hovered', async () => {
  const { found, picker, answer } = setUp();
  picker.move(1);
  picker.move(null);
  await answer('one');
  expect(found).toEqual([null]);
  expect(picker.idle).toBe(true);
  picker.move(3);
  await answer('three');
  expect(found).toEqual([null, 'three']);
});
