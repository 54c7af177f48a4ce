/**
 * The files worker: opens the trace's file again for exports and for what sched_ext did. Each
 * question is answered in one go, since nobody waits for this worker but who asked it; to cancel is to end it.
 */
import init, { FileSource } from '../wasm/io';
import { BlockReader, cacheForRows, prepareBytes } from './blobReader';
import { buffersOf } from './buffers';
import { engineErrorOf } from './errors';
import type { FilesReply, FilesRequest, FilesStart } from './filesHost';
import { live } from './life';
import type { Asked, FileReply, FilesQuery } from './protocol';
import { taskLoop } from './taskLoop';
import { compileIo } from './wasmModule';
import { helperScope } from './workerScope';

const scope = helperScope<FilesRequest, FilesReply>();

/** Milliseconds between two reports of progress. */
const PROGRESS_INTERVAL = 100;

const alive = live(self.name);
let opened: ({ readonly source: FileSource } & Omit<FilesStart, 'model'>) | null = null;
/** Queries by key: a later one supersedes an earlier one. */
const waiting = new Map<string, Asked<FilesQuery>>();

const askForTurn = taskLoop(() => {
  const [next] = waiting;
  if (opened === null || next === undefined) return false;
  waiting.delete(next[0]);
  answer(opened, next[1]);
  return waiting.size > 0;
});

scope.onmessage = ({ data }) => {
  if (data.type === 'start') {
    start(data);
  } else {
    waiting.set(data.key, data);
    askForTurn();
  }
};

async function start({ model, blob, cpus }: FilesStart): Promise<void> {
  try {
    await alive;
    const [module] = await Promise.all([compileIo(), prepareBytes(blob)]);
    await init({ module_or_path: module });
    opened = { source: new FileSource(model), blob, cpus };
    askForTurn();
  } catch (error) {
    scope.postMessage({ type: 'stopped', error: engineErrorOf(error) }, []);
  }
}

function answer({ source, ...bytes }: NonNullable<typeof opened>, { session, id, query }: Asked<FilesQuery>): void {
  try {
    const file = watched(bytes, (share) =>
      scope.postMessage({ type: 'jobProgress', session, id, share, answer: null }, []),
    );
    const answered = source.ask(JSON.stringify(query), file);
    const reply: FileReply = {
      ...JSON.parse(answered.json()),
      numbers: answered.numbers() as Float64Array<ArrayBuffer>[],
      file: (answered.file() ?? null) as Uint8Array<ArrayBuffer> | null,
    };
    answered.free();
    scope.postMessage({ type: 'answer', session, id, answer: reply }, buffersOf(reply));
  } catch (error) {
    // The wasm side returns its errors as text; anything else stopped it in the middle of its work.
    if (typeof error !== 'string') scope.postMessage({ type: 'stopped', error: engineErrorOf(error) }, []);
    else scope.postMessage({ type: 'queryFailed', session, id, error: engineErrorOf(error) }, []);
  }
}

/** The file's bytes; `told` hears how much of them was read. */
function watched({ blob, cpus }: Omit<FilesStart, 'model'>, told: (share: number) => void) {
  const reader = new BlockReader(blob, cacheForRows(cpus));
  let [read, last] = [0, performance.now()];
  return {
    size: reader.size,
    readAt(offset: number, length: number): Uint8Array<ArrayBuffer> {
      read += length;
      const now = performance.now();
      if (now - last > PROGRESS_INTERVAL) {
        last = now;
        told(Math.min(1, read / Math.max(1, reader.size)));
      }
      return reader.readAt(offset, length);
    },
  };
}
