/** The engine worker: holds one trace in wasm and answers queries about it, from the first scanned CPU on. */

import { ns } from '../base/units';
import init, { type TraceLoader } from '../wasm/tracecore';
import { buffersOf, jobOf, previewJobOf } from './answers';
import { engineErrorOf } from './errors';
import { EventsHost, type EventsWorker, noText } from './eventsHost';
import { FiguresHost, type FiguresWorker, filesOf } from './figuresHost';
import { live } from './life';
import { load } from './load';
import { type EngineMessage, type EngineRequest, isEventsQuery, type Progress, type TraceSource } from './protocol';
import { taskLoop } from './taskLoop';
import { Throttle } from './throttle';
import { type Start, Turns } from './turns';
import { compileWasm } from './wasmModule';
import type { WorkerScope } from './workerScope';

const scope = self as unknown as WorkerScope<EngineRequest, EngineMessage>;

const alive = live(self.name);

/** Milliseconds between two messages of a kind while a trace loads. */
const PROGRESS_INTERVAL = 50;
const PREVIEW_INTERVAL = 150;

/** Milliseconds without a query of the model after which it is stored. */
const IDLE = 3000;
/** When the last one was asked, or the trace was opened. */
let askedAt = 0;

const turns = new Turns((message) =>
  scope.postMessage(message, message.type === 'answer' ? buffersOf(message.answer) : []),
);

const askForTurn = taskLoop(() => {
  turns.turn();
  return turns.busy;
});

const startEventsWorker = (): EventsWorker =>
  new Worker(new URL('./eventsWorker.ts', import.meta.url), { type: 'module', name: 'corelane events' });

const startFiguresWorker = (): FiguresWorker =>
  new Worker(new URL('./figuresWorker.ts', import.meta.url), { type: 'module', name: 'corelane figures' });

const figures = new FiguresHost(startFiguresWorker, (reply) =>
  scope.postMessage(reply, reply.type === 'answer' ? filesOf(reply.answer) : []),
);

const events = new EventsHost(startEventsWorker(), (reply) => scope.postMessage(reply, []));

scope.onmessage = ({ data }) => {
  if (data.type === 'open') {
    open(data.session, data.source);
  } else if (isEventsQuery(data.query)) {
    events.ask({ ...data, query: data.query });
  } else if (data.query.type === 'figure') {
    figures.ask({ ...data, query: data.query });
  } else {
    askedAt = performance.now();
    turns.push({ ...data, query: data.query });
    askForTurn();
  }
};

async function open(session: number, source: TraceSource): Promise<void> {
  const progress = new Throttle<Progress>(PROGRESS_INTERVAL, (value) =>
    scope.postMessage({ type: 'progress', session, progress: value }, []),
  );
  const preview = new Throttle<TraceLoader>(PREVIEW_INTERVAL, (loader) => postPreview(session, loader));
  try {
    const [module] = await Promise.all([compileWasm(), alive]);
    await init({ module_or_path: module });
    const { trace, summary, index, store } = await load(source, module, {
      onProgress: (value) => progress.push(value),
      onMetadata: (metadata, loader, file) => {
        if (metadata.has_text) events.start(module, file, metadata.base_ns);
        else events.refuse(noText(metadata));
        answerFrom((query) => previewJobOf(loader, query));
        scope.postMessage({ type: 'metadata', session, metadata }, []);
      },
      onScan: (loader, index) => {
        if (index !== null) events.add(index);
        if (loader !== null) preview.push(loader);
      },
      onBuild: (value) => {
        // The events worker does this while this one builds.
        events.list();
        preview.cancel();
        progress.push(value);
        progress.flush();
        answerFrom(() => null);
      },
    });
    const { pid, comm, forked } = summary.tasks;
    const pids = pid.slice();
    const comms = Array.from(comm, (id) => summary.comms[id] ?? '');
    scope.postMessage({ type: 'opened', session, summary }, [pid.buffer, comm.buffer, forked.buffer]);
    answerFrom((query) => jobOf(trace, query));
    figures.open(() => trace.model() as Uint8Array<ArrayBuffer>);
    if (index === null) events.name(pids, comms);
    else listEvents(index, pids, comms);
    askedAt = performance.now();
    if (store !== null) whenIdle(store);
  } catch (error) {
    progress.cancel();
    preview.cancel();
    scope.postMessage({ type: 'failed', session, error: engineErrorOf(error) }, []);
  }
}

/** Lists the events of a trace that is open already. */
async function listEvents(
  index: () => Promise<void>,
  pids: Int32Array<ArrayBuffer>,
  comms: readonly string[],
): Promise<void> {
  try {
    await index();
    events.list();
    events.name(pids, comms);
  } catch (error) {
    events.refuse(engineErrorOf(error));
  }
}

/** Does something that keeps the worker busy, once nothing has been asked for a while. */
function whenIdle(work: () => Promise<void>): void {
  const left = turns.busy ? IDLE : askedAt + IDLE - performance.now();
  if (left <= 0) work();
  else setTimeout(() => whenIdle(work), left);
}

function postPreview(session: number, loader: TraceLoader): void {
  const pids = loader.previewPids() as Int32Array<ArrayBuffer>;
  const cpusDone = [...loader.previewCpus()];
  scope.postMessage({ type: 'preview', session, end: ns(loader.previewEnd()), cpusDone, pids }, [pids.buffer]);
}

function answerFrom(start: Start): void {
  turns.open(start);
  askForTurn();
}
