/** Reads streams that lie one behind the other in a file as one. */
import { sliceOf, streamBytes, type TraceBytes } from './blobReader';
import type { ScanJob } from './scanPool';

/** Who is told of the streams' bytes, stream by stream. */
export interface StreamSink {
  /** The next bytes of a stream; valid only during the call. */
  onBytes(piece: Uint8Array<ArrayBuffer>, job: ScanJob): void;
  /** A stream has no more bytes; an empty one has had none. */
  onEnd(job: ScanJob): void;
}

/** Passes on the bytes of `jobs`, which are in the order of the file, and leaves out what lies between them. */
export async function streamJobs(blob: TraceBytes, jobs: readonly ScanJob[], sink: StreamSink): Promise<void> {
  const start = jobs[0]?.start ?? 0;
  const end = jobs.at(-1)?.end ?? start;
  let at = start;
  let next = 0;
  const endUntil = (place: number) => {
    for (let job = jobs[next]; job !== undefined && job.end <= place; job = jobs[++next]) sink.onEnd(job);
  };
  endUntil(at);
  await streamBytes(sliceOf(blob, start, end), (bytes) => {
    let left = bytes;
    for (let job = jobs[next]; job !== undefined && 0 < left.length; job = jobs[next]) {
      const isBetween = at < job.start;
      const length = Math.min(left.length, (isBetween ? job.start : job.end) - at);
      if (!isBetween) sink.onBytes(left.subarray(0, length), job);
      left = left.subarray(length);
      at += length;
      endUntil(at);
    }
  });
  // Where a file ends early, what there is of its streams counts.
  endUntil(end);
}
