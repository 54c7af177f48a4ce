/** The engine worker: holds one trace in wasm and answers queries about it, from the first scanned CPU on. */

import { ns } from '../base/units';
import init, { type LoadedTrace, type TraceLoader } from '../wasm/engine';
import { jobOf, previewJobOf } from './answers';
import { transferOf } from './buffers';
import { CallsHost, type CallsWorker } from './callsHost';
import { engineErrorOf } from './errors';
import { EventsHost, type EventsWorker, type SeekWorker } from './eventsHost';
import { FiguresHost, type FiguresWorker } from './figuresHost';
import type { FilesStart, FilesWorker } from './filesHost';
import { HelperWorker } from './helperWorker';
import { lifeName, live, watched } from './life';
import { fileOf, type Loaded, load } from './load';
import { ModelHost } from './modelHost';
import type {
  Asked,
  EngineMessage,
  EngineRequest,
  FileReply,
  FilesQuery,
  Progress,
  Query,
  StudyQuery,
  StudyReply,
  TraceSource,
} from './protocol';
import { isFiltered, type Module, moduleOf, type Queries } from './questions';
import { seekerCount } from './seekers';
import type { StudiesStart, StudiesWorker } from './studiesHost';
import { inTurns, taskLoop } from './taskLoop';
import { Throttle } from './throttle';
import { type Start, Turns } from './turns';
import { compileEngine } from './wasmModule';
import type { WorkerScope } from './workerScope';

const scope = self as unknown as WorkerScope<EngineRequest, EngineMessage>;

const alive = live(self.name);

/** Milliseconds between two reports of progress while a trace loads. */
const PROGRESS_INTERVAL = 200;
/**
 * Milliseconds from a preview to the next: each is drawn while streams are scanned, without a GPU by the same cores. So the longer a trace
 * loads, the fewer there are, and what they show has grown by about as much each time.
 */
const previewInterval = (loading: number): number => Math.max(300, loading / 3);

/** Milliseconds without a query of the model after which it is stored. */
const IDLE = 3000;
/** Milliseconds without a query after which the first screen is drawn, on slow machines too, and the list of events can be made. */
const FIRST_SCREEN = 1000;
/** Bytes of a file from which on the events are put in order while the model is built. */
const LIST_AT_ONCE = 16 << 20;
/** When the last one was asked, or the trace was opened. */
let askedAt = 0;

const reply = (message: EngineMessage): void => scope.postMessage(message, transferOf(message));

const turns = new Turns(reply);

const askForTurn = taskLoop(() => {
  turns.turn();
  return turns.busy;
});

function startEventsWorker(): EventsWorker {
  const name = lifeName('corelane events');
  return watched(new HelperWorker('events', name), name);
}

function startSeeker(): SeekWorker {
  const name = lifeName('corelane seek');
  return watched(new HelperWorker('seek', name), name);
}

function startFiguresWorker(): FiguresWorker {
  const name = lifeName('corelane figures');
  return watched(new HelperWorker('figures', name), name);
}

function startCallsWorker(): CallsWorker {
  const name = lifeName('corelane calls');
  return watched(new HelperWorker('calls', name), name);
}

function startFilesWorker(): FilesWorker {
  const name = lifeName('corelane files');
  return watched(new HelperWorker('files', name), name);
}

function startStudiesWorker(): StudiesWorker {
  const name = lifeName('corelane studies');
  return watched(new HelperWorker('studies', name), name);
}

/** The runs that pass the filter; empty: there is none. */
let passing = new Uint32Array();

/** The session of the trace that this worker opens. */
let session = 0;
const onRestart = (what: string) => scope.postMessage({ type: 'restarted', session, what }, []);

const studies = new ModelHost<StudiesStart, StudyQuery, StudyReply>('studies', startStudiesWorker, reply);
const calls = new CallsHost(startCallsWorker, reply);
const figures = new FiguresHost(startFiguresWorker, reply, calls);
const files = new ModelHost<FilesStart, FilesQuery, FileReply>('files', startFilesWorker, reply);

const eventsWorkers = { start: startEventsWorker, startSeeker, seekers: seekerCount(navigator.hardwareConcurrency) };
const events = new EventsHost(eventsWorkers, {
  reply,
  listed: (systems) => scope.postMessage({ type: 'systems', session, systems }, []),
  died: onRestart,
});

let receive: (module: WebAssembly.Module | null) => void = () => {};
const received = new Promise<WebAssembly.Module | null>((resolve) => {
  receive = resolve;
});

scope.onmessage = ({ data }) => {
  if (data.type === 'module') {
    receive(data.module);
  } else if (data.type === 'helperFailed') {
    HelperWorker.failed(data);
  } else if (data.type === 'open') {
    session = data.session;
    open(data.source);
  } else if (data.type === 'cancel') {
    files.cancel(data.key);
  } else {
    ask(data);
  }
};

type Request<Q> = { readonly type: 'query' } & Asked<Q>;

/** Who answers. */
const MODULES: { readonly [M in Module]: { ask(request: Request<Queries[M]>): void } } = {
  engine: {
    ask(request) {
      if (request.query.type === 'filter_runs') passing = request.query.words;
      askedAt = performance.now();
      turns.push(request);
      askForTurn();
    },
  },
  events,
  calls,
  studies,
  files,
  figures,
};

function ask(request: Request<Query>): void {
  const { query } = request;
  // Copied only with questions that honour the filter: lanes are asked for in each frame. What comes with a question stays.
  const asked = isFiltered(query) ? { ...request, query: { words: passing, ...query } } : request;
  MODULES[moduleOf(query)].ask(asked as never);
}

const engineModule = async (): Promise<WebAssembly.Module> => (await received) ?? compileEngine();

async function open(source: TraceSource): Promise<void> {
  /** When there was something to preview: a download does not count. */
  let begun = 0;
  const progress = new Throttle<Progress>(
    () => PROGRESS_INTERVAL,
    (value) => scope.postMessage({ type: 'progress', session, progress: value }, []),
  );
  const preview = new Throttle<TraceLoader>(() => previewInterval(performance.now() - begun), postPreview);
  let hasText = true;
  try {
    const onProgress = (value: Progress) => progress.push(value);
    // The module and the trace come at the same time; nothing is said before the worker's lock is held.
    const [module, file] = await Promise.all([engineModule(), alive.then(() => fileOf(source, onProgress))]);
    await init({ module_or_path: module });
    const { trace, summary, index, store } = await load(source, file, module, {
      onProgress,
      onMetadata: (metadata, loader, file) => {
        begun = performance.now();
        const { base_ns: baseNs, cpus, has_text } = metadata;
        events.open({ blob: file, baseNs, cpus: cpus.length, hasText: has_text });
        if (metadata.has_text && LIST_AT_ONCE <= metadata.size) events.start();
        hasText = metadata.has_text;
        answerFrom((query) => previewJobOf(loader, query));
        scope.postMessage({ type: 'metadata', session, metadata }, []);
      },
      onSample: (loader) => {
        preview.push(loader);
        preview.flush();
      },
      onScan: (loader, { index, logs }) => {
        if (index !== null) events.add(index);
        calls.add(logs);
        preview.push(loader);
      },
      onRestart,
      onBuild: () => {
        // The events worker does this while this one builds.
        if (hasText) events.list();
        // All that was scanned is there or waits to be told.
        preview.flush();
        progress.flush();
      },
      onBuilt: () => {
        progress.cancel();
        answerFrom(() => null);
      },
    });
    const { pid, comm, forked } = summary.tasks;
    const pids = pid.slice();
    const comms = Array.from(comm, (id) => summary.comms[id] ?? '');
    scope.postMessage({ type: 'opened', session, summary }, [pid.buffer, comm.buffer, forked.buffer]);
    answerFrom((query) => jobOf(trace, query));
    const model = () => trace.model() as Uint8Array<ArrayBuffer>;
    figures.open(model);
    studies.open(() => {
      const copy = model();
      return [{ model: copy }, [copy.buffer]];
    });
    const machine = summary.uname?.split(/\s+/).at(-1) ?? null;
    const openCalls = () => calls.open(machine, model);
    files.open(() => {
      const copy = model();
      return [{ model: copy, blob: file, cpus: summary.cpus.length }, [copy.buffer]];
    });
    if (!summary.restored) openCalls();
    if (hasText) {
      if (!summary.restored) events.name(pids, comms);
      events.opened((isWanted) => void listEvents(index, pids, comms, isWanted, openCalls), !summary.restored);
    } else {
      if (summary.restored) void listEvents(index, pids, comms, () => false, openCalls);
      events.opened(() => {
        events.list();
        events.name(pids, comms);
      }, false);
    }
    askedAt = performance.now();
    // Of other formats the list is made in memory: of large ones only when somebody wants it.
    if (hasText || summary.size < LIST_AT_ONCE) whenIdle(FIRST_SCREEN, () => events.start());
    prepare(trace, () => {
      // Stored before, what is not made yet would be made at once.
      if (store !== null) whenIdle(IDLE, store);
    });
  } catch (error) {
    progress.cancel();
    preview.cancel();
    scope.postMessage({ type: 'failed', session, error: engineErrorOf(error) }, []);
  }
}

/**
 * Lists the events of a trace that is open already, as long as `isWanted`. `openCalls`: what system calls are found in comes
 * with the events.
 */
async function listEvents(
  index: Loaded['index'],
  pids: Int32Array<ArrayBuffer>,
  comms: readonly string[],
  isWanted: () => boolean,
  openCalls: () => void,
): Promise<void> {
  // Another scan may be under way, for an events worker that died meanwhile.
  const all: ArrayBuffer[] = [];
  try {
    await index(({ index: bytes, logs }) => {
      if (isWanted() && bytes !== null) events.add(bytes);
      all.push(...logs);
    });
    calls.add(all);
    openCalls();
    if (!isWanted()) return;
    events.list();
    events.name(pids, comms);
  } catch (error) {
    calls.refuse(engineErrorOf(error));
    if (isWanted()) events.refuse(engineErrorOf(error));
  }
}

/** Makes the indexes that the first picture does not need, between questions; `then`: what is done when all are there. */
function prepare(trace: LoadedTrace, then: () => void): void {
  inTurns(() => !trace.prepare()).then(then, (error: unknown) =>
    scope.postMessage({ type: 'failed', session, error: engineErrorOf(error) }, []),
  );
}

/** Does something once no question has been open for some milliseconds. */
function whenIdle(rest: number, work: () => void): void {
  const left = turns.busy ? rest : askedAt + rest - performance.now();
  if (left <= 0) work();
  else setTimeout(() => whenIdle(rest, work), left);
}

/** How many names of commands previews have told. */
let commsTold = 0;

function postPreview(loader: TraceLoader): void {
  const pids = loader.previewPids() as Int32Array<ArrayBuffer>;
  const cpusDone = [...loader.previewCpus()];
  const comms: readonly string[] = JSON.parse(loader.previewComms(commsTold));
  commsTold += comms.length;
  scope.postMessage({ type: 'preview', session, end: ns(loader.previewEnd()), cpusDone, pids, comms }, [pids.buffer]);
}

function answerFrom(start: Start): void {
  turns.open(start);
  askForTurn();
}
