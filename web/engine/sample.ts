/** Reads something of every stream before all of them are scanned, so that the whole time range has a picture early. */
import type { SourceFile, TraceLoader } from '../wasm/engine';
import { bytesOf, type FileRange } from './blobReader';
import type { ScanJob } from './scanPool';
import { taskLoop } from './taskLoop';

/** Where in each stream is read, round by round: the last place first, since it says where the trace ends. */
const ROUNDS = [[1], [0], [1 / 2], [1 / 4, 3 / 4], [1 / 8, 3 / 8, 5 / 8, 7 / 8]] as const;
/** How many places are read, beyond the first round: each costs the browser a third of a millisecond, and a look at a page. */
const MOST = 512;
/** Of how many places the bytes are read at once: so many take some milliseconds. */
const AT_ONCE = 16;
/** What of the file is looked at for a place: from the begin of its page, and until a packed chunk is found. */
const BEFORE = 1 << 13;
const BEHIND = 3 << 13;
/** A trace whose streams are smaller is scanned as soon as it would be sampled. */
const LARGE = 1 << 20;

/** The part of an opened file that is used; tests stand in for it. */
export type Sampled = Pick<SourceFile, 'sample' | 'free'>;

/** A place that is looked at. */
interface Place {
  readonly job: ScanJob;
  readonly share: number;
  readonly endsRound: boolean;
}

/**
 * Gives the loader samples of all streams, one in each task of the event loop, until `end` is called. `onRound` is called
 * whenever all streams have had as many. `prefetch` is told what will be read between a stream's ends, which opening has read. Frees
 * the file. What cannot be read is left to the scan, which will say so.
 */
export function sample(
  file: Sampled,
  jobs: readonly ScanJob[],
  loader: Pick<TraceLoader, 'addSample'>,
  onRound: () => void,
  prefetch: (ranges: readonly FileRange[]) => void,
): { end(): void } {
  const places = bytesOf(jobs) < LARGE ? [] : placesOf(jobs);
  let next = 0;
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    file.free();
  };
  const turn = (): boolean => {
    if (ended) return false;
    const place = places[next];
    if (place === undefined) {
      end();
      return false;
    }
    try {
      if (next % AT_ONCE === 0) {
        const between = places.slice(next, next + AT_ONCE).filter(({ share }) => 0 < share && share < 1);
        if (0 < between.length) prefetch(between.map(rangeOf));
      }
      const scan = file.sample(place.job.index, place.share);
      if (scan !== undefined) loader.addSample(scan);
    } catch {
      end();
      return false;
    }
    next++;
    if (place.endsRound) onRound();
    return true;
  };
  taskLoop(turn)();
  return { end };
}

function placesOf(jobs: readonly ScanJob[]): Place[] {
  const places: Place[] = [];
  for (const [round, shares] of ROUNDS.entries()) {
    if (0 < round && MOST < places.length + (shares.length - 1) * jobs.length) break;
    for (const [at, job] of jobs.entries()) {
      for (const share of shares) {
        places.push({ job, share, endsRound: at === jobs.length - 1 && share === shares.at(-1) });
      }
    }
  }
  return places;
}

function rangeOf({ job: { start, end }, share }: Place): FileRange {
  const at = start + Math.floor((end - start) * share);
  return { start: Math.max(at - BEFORE, start), end: Math.min(at + BEHIND, end) };
}
