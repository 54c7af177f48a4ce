/** Reads something of every stream before all of them are scanned, so that the whole time range has a picture early. */
import type { SourceFile, TraceLoader } from '../wasm/tracecore';
import type { ScanJob } from './scanPool';
import { taskLoop } from './taskLoop';

/** Where in each stream is read, round by round: the last place first, since it says where the trace ends. */
const ROUNDS = [[1], [0], [1 / 2], [1 / 4, 3 / 4], [1 / 8, 3 / 8, 5 / 8, 7 / 8]] as const;
/** How many places are read, beyond the first round: each costs the browser about a millisecond. */
const MOST = 512;
/** A trace whose streams are smaller is scanned as soon as it would be sampled. */
const LARGE = 1 << 20;

/** The part of an opened file that is used; tests stand in for it. */
export type Sampled = Pick<SourceFile, 'sample' | 'free'>;

/**
 * Gives the loader samples of all streams, one in each task of the event loop, until `end` is called. `onRound` is called
 * whenever all streams have had as many. Frees the file. What cannot be read is left to the scan, which will say so.
 */
export function sample(
  file: Sampled,
  jobs: readonly ScanJob[],
  loader: Pick<TraceLoader, 'addSample'>,
  onRound: () => void,
): { end(): void } {
  const places = jobs.reduce((sum, { start, end }) => sum + (end - start), 0) < LARGE ? null : placesOf(jobs);
  let next = places?.next();
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    file.free();
  };
  const turn = (): boolean => {
    if (ended) return false;
    const place = next?.value;
    if (place === undefined) {
      end();
      return false;
    }
    try {
      const scan = file.sample(place.index, place.share);
      if (scan !== undefined) loader.addSample(scan);
    } catch {
      end();
      return false;
    }
    next = places?.next();
    if (place.endsRound) onRound();
    return true;
  };
  taskLoop(turn)();
  return { end };
}

function* placesOf(
  jobs: readonly ScanJob[],
): Generator<{ index: number; share: number; endsRound: boolean }, undefined> {
  let count = 0;
  for (const [round, shares] of ROUNDS.entries()) {
    count += round === 0 ? 0 : shares.length * jobs.length;
    if (MOST < count) return;
    for (const [at, { index }] of jobs.entries()) {
      for (const share of shares) {
        yield { index, share, endsRound: at === jobs.length - 1 && share === shares.at(-1) };
      }
    }
  }
}
