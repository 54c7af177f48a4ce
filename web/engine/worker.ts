/** The engine worker: holds one trace in wasm and answers queries about it, from the first scanned CPU on. */

import { ns } from '../base/units';
import init, { type LoadedTrace, type TraceLoader } from '../wasm/tracecore';
import { answerTo, buffersOf, needOf, previewAnswer } from './answers';
import { jobOf } from './answersJobs';
import { engineErrorOf } from './errors';
import { EventsHost, type EventsWorker } from './eventsHost';
import { Jobs } from './jobs';
import { live } from './life';
import { load } from './load';
import { Preparations } from './preparations';
import {
  type EngineMessage,
  type EngineRequest,
  isEventsQuery,
  type Progress,
  type TraceAnswer,
  type TraceQuery,
  type TraceSource,
} from './protocol';
import { isJobQuery } from './protocolExplain';
import { QueryQueue, type QueryRequest } from './queryQueue';
import { Throttle } from './throttle';
import { compileWasm } from './wasmModule';
import type { WorkerScope } from './workerScope';

const scope = self as unknown as WorkerScope<EngineRequest, EngineMessage>;

const alive = live(self.name);

/** Milliseconds between two messages of a kind while a trace loads. */
const PROGRESS_INTERVAL = 50;
const PREVIEW_INTERVAL = 150;

type Holding =
  | { readonly stage: 'nothing' }
  | { readonly stage: 'preview'; readonly loader: TraceLoader }
  | { readonly stage: 'opened'; readonly trace: LoadedTrace };

let holding: Holding = { stage: 'nothing' };
const queue = new QueryQueue();
const preparations = new Preparations();
const jobs = new Jobs((message) =>
  scope.postMessage(message, message.type === 'answer' ? buffersOf(message.answer) : []),
);

const startEventsWorker = (): EventsWorker =>
  new Worker(new URL('./eventsWorker.ts', import.meta.url), { type: 'module', name: 'corelane events' });

const events = new EventsHost(startEventsWorker(), (reply) => scope.postMessage(reply, []));

scope.onmessage = ({ data }) => {
  if (data.type === 'open') {
    open(data.session, data.source);
  } else if (isEventsQuery(data.query)) {
    events.ask({ ...data, query: data.query });
  } else if (isJobQuery(data.query)) {
    jobs.push({ ...data, query: data.query });
    askForTurn();
  } else {
    queue.push({ ...data, query: data.query });
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
    const { trace, summary } = await load(source, module, {
      onProgress: (value) => progress.push(value),
      onMetadata: (metadata, loader, file) => {
        events.start(module, file, metadata.base_ns);
        hold({ stage: 'preview', loader });
        scope.postMessage({ type: 'metadata', session, metadata }, []);
      },
      onCpu: (loader, index) => {
        events.add(index);
        preview.push(loader);
      },
      onBuild: (value) => {
        // In its own worker, while this one builds.
        events.list();
        preview.cancel();
        progress.push(value);
        progress.flush();
        hold({ stage: 'nothing' });
      },
    });
    const { pid, comm, forked } = summary.tasks;
    const comms = Array.from(comm, (id) => summary.comms[id] ?? '');
    events.name(pid, comms);
    scope.postMessage({ type: 'opened', session, summary }, [pid.buffer, comm.buffer, forked.buffer]);
    jobs.open((query) => jobOf(trace, query));
    hold({ stage: 'opened', trace });
  } catch (error) {
    progress.cancel();
    preview.cancel();
    scope.postMessage({ type: 'failed', session, error: engineErrorOf(error) }, []);
  }
}

function postPreview(session: number, loader: TraceLoader): void {
  const pids = loader.previewPids() as Int32Array<ArrayBuffer>;
  const cpusDone = [...loader.previewCpus()];
  scope.postMessage({ type: 'preview', session, end: ns(loader.previewEnd()), cpusDone, pids }, [pids.buffer]);
}

function hold(next: Holding): void {
  holding = next;
  askForTurn();
}

/** While a trace loads, tiles of CPUs alone. */
const answerable = (query: TraceQuery): boolean =>
  holding.stage === 'opened'
    ? preparations.isReady(needOf(query))
    : holding.stage === 'preview' && query.type === 'tile' && query.kind === 'cpu';

function reply(request: QueryRequest): void {
  const { session, id, query } = request;
  try {
    const answer = answerNow(query);
    if (answer === null) queue.putBack(request);
    else scope.postMessage({ type: 'answer', session, id, answer }, buffersOf(answer));
  } catch (error) {
    // The wasm side returns its errors as text. Anything else stopped it in the middle of its work: the trace is lost.
    const type = typeof error === 'string' ? 'queryFailed' : 'failed';
    scope.postMessage({ type, session, id, error: engineErrorOf(error) }, []);
  }
}

/** null: not yet. */
function answerNow(query: TraceQuery): TraceAnswer | null {
  if (holding.stage === 'opened') return answerTo(holding.trace, query);
  return holding.stage === 'preview' ? previewAnswer(holding.loader, query) : null;
}

/** A turn is a task of its own, so that queries which arrive meanwhile are queued before the next one is answered. */
const turn = new MessageChannel();
let turnAsked = false;

function askForTurn(): void {
  if (turnAsked || (queue.size === 0 && !jobs.busy)) return;
  turnAsked = true;
  turn.port2.postMessage(null);
}

turn.port1.onmessage = () => {
  turnAsked = false;
  const request = queue.take(answerable);
  const need = queue.first && needOf(queue.first);
  if (request !== undefined) {
    if (request.query.type === 'set_view') preparations.reset();
    reply(request);
  } else if (need !== undefined && holding.stage === 'opened') {
    preparations.turn(holding.trace, need);
  } else if (jobs.busy) {
    jobs.turn();
  } else {
    return;
  }
  askForTurn();
};
