import { expect, test } from 'vitest';
import type { FileRange } from './blobReader';
import { type Sampled, sample } from './sample';

const MB = 1 << 20;

/** Streams of a megabyte each. */
const jobs = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ index: index + 10, start: index * MB, end: (index + 1) * MB }));

class FakeFile implements Sampled {
  readonly asked: string[] = [];
  freed = 0;
  readonly fails: boolean;

  constructor(fails = false) {
    this.fails = fails;
  }

  sample(index: number, share: number): Uint8Array | undefined {
    if (this.freed > 0) throw new Error('it was freed');
    this.asked.push(`${index}@${share}`);
    if (this.fails) throw new Error('the file was changed');
    return new Uint8Array([index]);
  }

  free(): void {
    this.freed++;
  }
}

/** Who hears of rounds and of parts. */
const nobody = [() => {}, () => {}] as const;

const ended = (file: FakeFile) => expect.poll(() => file.freed).toBe(1);

test('all streams are sampled at their ends, then at their begins, then between', async () => {
  const file = new FakeFile();
  const added: number[] = [];
  const rounds: number[] = [];
  const loader = { addSample: (scan: Uint8Array) => void added.push(scan[0] ?? -1) };
  const parts: (readonly FileRange[])[] = [];
  sample(
    file,
    jobs(2),
    loader,
    () => rounds.push(added.length),
    (ranges) => parts.push(ranges),
  );
  await ended(file);
  expect(file.asked.slice(0, 8)).toEqual(['10@1', '11@1', '10@0', '11@0', '10@0.5', '11@0.5', '10@0.25', '10@0.75']);
  expect(added).toHaveLength(file.asked.length);
  expect(rounds).toEqual([2, 4, 6, 10, 18]);
  // Those between the ends are read beforehand, some at once.
  expect(parts.map((ranges) => ranges.length)).toEqual([12, 2]);
  expect(parts[0]?.[0]).toEqual({ start: MB / 2 - (1 << 13), end: MB / 2 + (3 << 13) });
});

test('of many streams fewer places are read', async () => {
  const file = new FakeFile();
  sample(file, jobs(512), { addSample: () => {} }, ...nobody);
  await ended(file);
  expect(new Set(file.asked.map((place) => place.split('@')[1]))).toEqual(new Set(['1', '0']));
});

test('it ends when the streams are scanned, and with the first place that cannot be read', async () => {
  const file = new FakeFile();
  const sampling = sample(file, jobs(4), { addSample: () => sampling.end() }, ...nobody);
  await ended(file);
  expect(file.asked).toHaveLength(1);
  sampling.end();
  expect(file.freed).toBe(1);
  const failing = new FakeFile(true);
  sample(failing, jobs(4), { addSample: () => {} }, ...nobody);
  await ended(failing);
  expect(failing.asked).toHaveLength(1);
});

test('a small trace is not sampled', async () => {
  const file = new FakeFile();
  sample(file, [{ index: 0, start: 0, end: 1000 }], { addSample: () => {} }, ...nobody);
  await ended(file);
  expect(file.asked).toEqual([]);
});
