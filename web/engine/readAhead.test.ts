import { beforeEach, expect, test } from 'vitest';
import { type FilePart, ReadAhead, readPart } from './readAhead';

interface Asked {
  readonly part: FilePart;
  readonly answer: (bytes: Uint8Array<ArrayBuffer>) => void;
  readonly fail: () => void;
}

let asked: Asked[];
let arrived: number;
let ahead: ReadAhead;

beforeEach(() => {
  asked = [];
  arrived = 0;
  const read = (part: FilePart) =>
    new Promise<Uint8Array<ArrayBuffer>>((answer, fail) => asked.push({ part, answer, fail: () => fail(new Error()) }));
  ahead = new ReadAhead(read, () => arrived++);
});

const settled = () => new Promise((resolve) => setTimeout(resolve));

test('parts are read once, and taken once', async () => {
  const parts: FilePart[] = [
    [0, 2],
    [100, 1],
  ];
  expect(ahead.want(parts)).toBe(false);
  expect(ahead.want(parts)).toBe(false);
  expect(asked.map(({ part }) => part)).toEqual(parts);
  expect(ahead.take(0, 2)).toBeNull();

  asked[0]?.answer(Uint8Array.of(7, 8));
  await settled();
  expect(arrived).toBe(1);
  expect(ahead.want(parts)).toBe(true);
  // Another length is another part.
  expect(ahead.take(0, 3)).toBeNull();
  expect(ahead.take(0, 2)).toEqual(Uint8Array.of(7, 8));
  expect(ahead.take(0, 2)).toBeNull();
  expect(ahead.want([])).toBe(true);
});

test('what is no longer wanted is forgotten, also when it comes later', async () => {
  ahead.want([[0, 2]]);
  expect(ahead.want([[5, 2]])).toBe(false);
  asked[0]?.answer(Uint8Array.of(7, 8));
  asked[1]?.answer(Uint8Array.of(1, 2));
  await settled();
  expect(ahead.take(0, 2)).toBeNull();
  expect(ahead.take(5, 2)).toEqual(Uint8Array.of(1, 2));
});

test('what cannot be read is not waited for', async () => {
  expect(ahead.want([[0, 2]])).toBe(false);
  asked[0]?.fail();
  await settled();
  expect(arrived).toBe(1);
  expect(ahead.want([[0, 2]])).toBe(true);
  expect(ahead.take(0, 2)).toBeNull();
});

test('a part of a file is all its bytes', async () => {
  expect(await readPart(new Blob([Uint8Array.of(1, 2, 3)]).slice(1))).toEqual(Uint8Array.of(2, 3));
});
