/** A scan worker: its own wasm instance, which opens the same file again and scans the CPUs that it is given. */
import init, { openForScan, type ScanFile } from '../wasm/tracecore';
import { BlockReader, streamBlob } from './blobReader';
import { engineErrorOf, internalError } from './errors';
import type { ScanJob, ScanReport, ScanRequest } from './scanPool';
import { Throttle } from './throttle';
import type { WorkerScope } from './workerScope';

const scope = self as unknown as WorkerScope<ScanRequest, ScanReport>;

/** Milliseconds between two reports of progress. */
const PROGRESS_INTERVAL = 50;

let started: Promise<{ readonly file: ScanFile; readonly blob: Blob }> | null = null;

async function start(module: WebAssembly.Module, blob: Blob) {
  await init({ module_or_path: module });
  return { file: openForScan(new BlockReader(blob)), blob };
}

async function scan(job: ScanJob): Promise<void> {
  if (started === null) throw internalError('a scan was asked for before the file was opened');
  const { file, blob } = await started;
  const scanner = file.scanner(job.index);
  const progress = new Throttle<ScanReport>(PROGRESS_INTERVAL, (report) => scope.postMessage(report, []));
  let bytes = 0;
  await streamBlob(blob.slice(job.start, job.end), (piece) => {
    scanner.push(piece);
    bytes += piece.byteLength;
    progress.push({ type: 'progress', bytes, events: scanner.events() });
  });
  progress.cancel();
  const events = scanner.events();
  // `finish` consumes the scanner; what is taken was copied out of wasm memory and has a buffer of its own.
  const scanned = scanner.finish();
  const { buffer: scan } = scanned.takeScan() as Uint8Array<ArrayBuffer>;
  const { buffer: index } = scanned.takeIndex() as Uint8Array<ArrayBuffer>;
  scanned.free();
  scope.postMessage({ type: 'scanned', job, events, scan, index }, [scan, index]);
}

const fail = (error: unknown) => scope.postMessage({ type: 'failed', error: engineErrorOf(error) }, []);

scope.onmessage = ({ data }) => {
  if (data.type === 'scan') {
    scan(data.job).catch(fail);
  } else {
    started = start(data.module, data.blob);
    started.catch(fail);
  }
};
