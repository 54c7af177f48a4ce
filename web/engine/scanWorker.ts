/** A scan worker: its own wasm instance, which opens the same file again and scans the streams that it is given. */
import init, { openTrace, type Scanner, type SourceFile } from '../wasm/engine';
import { BlockReader, prepareBytes, type TraceBytes } from './blobReader';
import { engineErrorOf, internalError } from './errors';
import { live } from './life';
import type { FormatModule, ScanJob, ScanReport, ScanRequest } from './scanPool';
import { describedBy, openWith, takeLogs, takeScans } from './sourceFile';
import { streamJobs } from './streamJobs';
import { helperScope } from './workerScope';

const scope = helperScope<ScanRequest, ScanReport>();

const alive = live(self.name);

/** Milliseconds between two reports of progress. */
const PROGRESS_INTERVAL = 100;

let started: Promise<{ readonly file: SourceFile; readonly blob: TraceBytes }> | null = null;

async function start(opener: FormatModule, blob: TraceBytes) {
  await Promise.all([alive, prepareBytes(blob)]);
  if (opener.name === 'io') return { file: await openWith(opener, blob), blob };
  await init({ module_or_path: opener.module });
  return { file: openTrace(new BlockReader(blob)), blob };
}

async function describe(): Promise<void> {
  const opened = await started;
  if (opened !== null) scope.postMessage({ type: 'described', ...describedBy(opened.file) }, []);
}

async function scan(jobs: readonly ScanJob[]): Promise<void> {
  if (started === null) throw internalError('a scan was asked for before the file was opened');
  const { file, blob } = await started;
  // The first bytes are told of at once: a worker that has said nothing could end unnoticed (`life.ts`).
  let reportAt = 0;
  /** Of the present job. */
  let scanner: Scanner | null = null;
  let bytes = 0;
  await streamJobs(blob, jobs, {
    onBytes: (piece, job) => {
      scanner ??= file.scanner(job.index);
      scanner.push(piece);
      bytes += piece.byteLength;
      const now = performance.now();
      if (now < reportAt) return;
      // No timer: more follows, or the result.
      reportAt = now + PROGRESS_INTERVAL;
      scope.postMessage({ type: 'progress', bytes, events: scanner.events() }, []);
    },
    onEnd: (job) => {
      finish(scanner ?? file.scanner(job.index), job);
      scanner = null;
      bytes = 0;
    },
  });
}

/** Hands over what was found of a job. */
function finish(scanner: Scanner, job: ScanJob): void {
  const events = scanner.events();
  // `finish` consumes the scanner; its results are copied out of wasm memory into their own buffers.
  const scanned = scanner.finish();
  const scans = takeScans(scanned);
  const index = (scanned.takeIndex() as Uint8Array<ArrayBuffer> | undefined)?.buffer ?? null;
  const logs = takeLogs(scanned);
  scanned.free();
  const buffers = [...scans, ...logs, ...(index === null ? [] : [index])];
  scope.postMessage({ type: 'scanned', job, events, scans, index, logs }, buffers);
}

const fail = (error: unknown) => scope.postMessage({ type: 'failed', error: engineErrorOf(error) }, []);

scope.onmessage = ({ data }) => {
  if (data.type === 'scan') {
    scan(data.jobs).catch(fail);
  } else if (data.type === 'describe') {
    describe().catch(fail);
  } else {
    started = start(data.opener, data.blob);
    started.catch(fail);
  }
};
