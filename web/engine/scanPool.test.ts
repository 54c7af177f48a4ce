import { expect, test } from 'vitest';
import { EngineFailure } from './errors';
import {
  batchesOf,
  type ScanJob,
  type ScanPool,
  type ScanReport,
  type ScanRequest,
  type ScanTotals,
  type ScanWorker,
  scanAll,
  workerCount,
} from './scanPool';

class FakeScanWorker implements ScanWorker {
  onmessage: ScanWorker['onmessage'] = null;
  onerror: ScanWorker['onerror'] = null;
  readonly given: number[] = [];
  jobs: ScanJob[] = [];
  terminated = false;

  postMessage(request: ScanRequest): void {
    if (request.type !== 'scan') return;
    this.jobs = [...request.jobs];
    this.given.push(...request.jobs.map(({ index }) => index));
  }

  terminate(): void {
    this.terminated = true;
  }

  say(report: ScanReport): void {
    this.onmessage?.({ data: report } as MessageEvent<ScanReport>);
  }

  finish(events: number): void {
    const job = this.jobs.shift();
    if (job !== undefined)
      this.say({
        type: 'scanned',
        job,
        events,
        scans: [new ArrayBuffer(8)],
        logs: [],
        index: new ArrayBuffer(4),
      });
  }
}

/** Jobs of the given sizes, one after the other in the file. */
function jobsOf(...sizes: number[]): ScanJob[] {
  let start = 0;
  return sizes.map((size, index) => {
    const job = { index, start, end: start + size };
    start += size;
    return job;
  });
}

/** A pool whose workers are taken from a list, one after the other. */
function poolOf(list: readonly FakeScanWorker[], workers: number, heard: Partial<ScanPool> = {}): ScanPool {
  const left = [...list];
  return {
    workers,
    start: () => {
      const worker = left.shift();
      if (worker === undefined) throw new Error('no worker is left');
      return worker;
    },
    onProgress: () => {},
    onScan: () => {},
    onRestart: () => {},
    ...heard,
  };
}

const dies = (worker: FakeScanWorker) => worker.onerror?.(new Event('error', { cancelable: true }) as ErrorEvent);

const MIB = 1 << 20;

test.each([
  [8, jobsOf(), 0],
  [1, jobsOf(MIB, MIB), 1],
  [2, jobsOf(MIB, MIB, MIB), 2],
  [8, jobsOf(10, 10, 10), 1],
  [8, jobsOf(9 * MIB, 9 * MIB), 2],
  [4, jobsOf(...Array.from({ length: 128 }, () => MIB)), 3],
  [64, jobsOf(...Array.from({ length: 128 }, () => MIB)), 8],
])('%i cores', (cores, jobs, workers) => {
  expect(workerCount(cores, jobs)).toBe(workers);
});

const indexesOf = (batches: readonly (readonly ScanJob[])[]) => batches.map((jobs) => jobs.map(({ index }) => index));

test('the largest CPU comes first, ties in file order', () => {
  expect(indexesOf(batchesOf(jobsOf(5, 9, 0, 9), 1))).toEqual([[1], [3], [0], [2]]);
});

test('streams that are small beside all and one behind the other are read as one', () => {
  const jobs = jobsOf(...Array.from({ length: 64 }, () => MIB));
  expect(indexesOf(batchesOf(jobs, 2)).map((batch) => batch.length)).toEqual(Array.from({ length: 16 }, () => 4));
  expect(indexesOf(batchesOf([...jobs].reverse(), 2))).toEqual(indexesOf(batchesOf(jobs, 2)));
  // However many there are, a batch is no larger than a large stream.
  const many = batchesOf(jobsOf(...Array.from({ length: 1024 }, () => MIB)), 2);
  expect(new Set(many.map((batch) => batch.length))).toEqual(new Set([8]));
});

test('what lies between two streams is read only if it is little, and no bytes are read twice as one', () => {
  const at = (index: number, start: number) => ({ index, start, end: start + 1000 });
  const near = [at(0, 0), at(1, 4096), at(2, 200_000), at(3, 200_000)];
  const rest = Array.from({ length: 40 }, (_, index) => at(index + 4, 1e6 * (index + 1)));
  expect(indexesOf(batchesOf([...near, ...rest], 1)).slice(0, 3)).toEqual([[0, 1], [2], [3]]);
});

test('a worker that is done takes the next job; the pool ends when all are done', async () => {
  const [a, b] = [new FakeScanWorker(), new FakeScanWorker()];
  const totals: ScanTotals[] = [];
  const scanned: number[] = [];
  const all = scanAll(
    jobsOf(10, 40, 30, 20),
    poolOf([a, b], 2, {
      onProgress: (progress) => totals.push(progress),
      onScan: (_, job) => scanned.push(job.index),
    }),
  );
  expect([a.given, b.given]).toEqual([[1], [2]]);
  a.say({ type: 'progress', bytes: 25, events: 4 });
  expect(totals.at(-1)).toEqual({ bytes: 25, events: 4, cpusDone: 0 });
  b.finish(7);
  expect(totals.at(-1)).toEqual({ bytes: 55, events: 11, cpusDone: 1 });
  b.finish(2);
  b.finish(1);
  expect(b.terminated).toBe(true);
  expect(a.terminated).toBe(false);
  a.finish(9);
  await all;
  expect([a.given, b.given]).toEqual([[1], [2, 3, 0]]);
  expect(scanned).toEqual([2, 3, 0, 1]);
  expect(totals.at(-1)).toEqual({ bytes: 100, events: 19, cpusDone: 4 });
  expect(a.terminated).toBe(true);
});

test('nothing to scan is done at once', async () => {
  await scanAll([], poolOf([], 0));
});

test('the job of a worker that dies is done again by another one', async () => {
  const [a, b, c] = [new FakeScanWorker(), new FakeScanWorker(), new FakeScanWorker()];
  const totals: ScanTotals[] = [];
  const restarts: string[] = [];
  const all = scanAll(
    jobsOf(10, 40, 30),
    poolOf([a, b, c], 2, { onProgress: (progress) => totals.push(progress), onRestart: (what) => restarts.push(what) }),
  );
  a.say({ type: 'progress', bytes: 25, events: 4 });
  dies(a);
  expect(restarts).toEqual(['a scan worker stopped: it could not be started']);
  expect(a.terminated).toBe(true);
  expect(c.given).toEqual([1]);
  b.finish(3);
  expect(totals.at(-1)).toEqual({ bytes: 30, events: 3, cpusDone: 1 });
  b.finish(1);
  c.finish(9);
  await all;
  expect([b.given, c.given]).toEqual([[2, 0], [1]]);
});

test('of several streams that a dead worker had, those that it did not hand over are scanned again', async () => {
  const [a, b] = [new FakeScanWorker(), new FakeScanWorker()];
  const totals: ScanTotals[] = [];
  const scanned: number[] = [];
  const all = scanAll(
    jobsOf(...Array.from({ length: 16 }, () => MIB)),
    poolOf([a, b], 1, {
      onProgress: (progress) => totals.push(progress),
      onScan: (_, job) => scanned.push(job.index),
    }),
  );
  expect(a.given).toEqual([0, 1]);
  a.finish(5);
  a.say({ type: 'progress', bytes: 10, events: 1 });
  expect(totals.at(-1)).toEqual({ bytes: MIB + 10, events: 6, cpusDone: 1 });
  dies(a);
  expect(b.given).toEqual([1]);
  for (let left = 0; left < 15; left++) b.finish(1);
  await all;
  expect(scanned).toEqual(Array.from({ length: 16 }, (_, index) => index));
});

test('a job that two workers die of ends the pool', async () => {
  const list = [new FakeScanWorker(), new FakeScanWorker(), new FakeScanWorker()];
  const [a, b, c] = list;
  const all = scanAll(jobsOf(10, 40), poolOf(list, 2));
  if (a && c) {
    dies(a);
    dies(c);
  }
  await expect(all).rejects.toBeInstanceOf(EngineFailure);
  expect(b?.terminated).toBe(true);
});

test('a worker that fails or hands over what cannot be taken ends the pool', async () => {
  const error = { kind: 'memory', what: 'full', where: null, advice: 'Less.' } as const;
  const ends: ((worker: FakeScanWorker) => void)[] = [
    (worker) => worker.say({ type: 'failed', error }),
    (worker) => worker.finish(1),
  ];
  for (const end of ends) {
    const [a, b] = [new FakeScanWorker(), new FakeScanWorker()];
    const all = scanAll(
      jobsOf(1, 2, 3),
      poolOf([a, b], 2, {
        onScan: () => {
          throw new EngineFailure(error);
        },
      }),
    );
    end(a);
    await expect(all).rejects.toBeInstanceOf(EngineFailure);
    expect([a.terminated, b.terminated]).toEqual([true, true]);
  }
});
