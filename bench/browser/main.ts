/** The page of the browser's part of the bench: loads the chosen file through the engine and reports the times. */
import { storedModels } from '../../web/base/modelFolder';
import { ns } from '../../web/base/units';
import { type AnswerTo, EngineClient } from '../../web/engine/client';
import type { EngineEvent, EventFilter, EventsQuery, Summary } from '../../web/engine/protocol';
import { median, queryPlan } from '../plan.mjs';
import type { Read } from './readWorker';

/** Milliseconds since `open`, at the end of each stage. */
interface BrowserRound {
  /** Not since `open`: what it takes to read the file and do nothing with it. */
  readMs: number;
  metadataMs: number;
  firstPreviewMs: number | null;
  scannedMs: number;
  openedMs: number;
  /** The same file once more, when its model is stored; null for a file whose model is not. */
  reopenedMs: number | null;
  previews: number;
  records: number;
  /** Times of round trips: worker, wasm and both messages. */
  queries: { zoom: number; cellsMs: number; curveMs: number; commandsMs: number }[];
  events: EventsRound;
}

/** The list of events: round trips, and events per second. */
interface EventsRound {
  /** From `opened` to the first rows; the list is being made meanwhile. */
  firstRowsMs: number;
  /** Rows at random places, as when a scroll bar is dragged. */
  randomRowsMs: { median: number; p95: number };
  nameFilterPerS: number;
  taskFilterPerS: number;
  textSearchPerS: number;
}

const client = new EngineClient();

/** How long opening takes, stage by stage. */
type Opened = Pick<BrowserRound, 'metadataMs' | 'firstPreviewMs' | 'scannedMs' | 'openedMs' | 'previews'>;

function chosen(): File {
  const file = document.querySelector<HTMLInputElement>('#file')?.files?.[0];
  if (file === undefined) throw new Error('no file was chosen');
  return file;
}

async function open(file: File): Promise<{ summary: Summary; opened: Opened }> {
  const round = { metadataMs: 0, firstPreviewMs: null as number | null, scannedMs: 0, previews: 0 };
  const started = performance.now();
  const summary = await new Promise<Summary>((resolve, reject) => {
    const off = client.on((event: EngineEvent) => {
      const now = performance.now() - started;
      switch (event.type) {
        case 'metadata':
          round.metadataMs = now;
          return;
        case 'progress':
          // It is told again while the trace is built.
          if (event.progress.stage === 'building' && round.scannedMs === 0) round.scannedMs = now;
          return;
        case 'preview':
          round.firstPreviewMs ??= now;
          round.previews++;
          return;
        case 'opened':
          off();
          resolve(event.summary);
          return;
        case 'failed':
          off();
          reject(new Error(`${event.error.kind}: ${event.error.what}`));
      }
    });
    client.open({ kind: 'file', file });
  });
  return { summary, opened: { ...round, openedMs: performance.now() - started } };
}

async function load(): Promise<BrowserRound> {
  const file = chosen();
  const readMs = await readingMs(file);
  const { summary, opened } = await open(file);
  const events = await listEvents(summary);
  const queries = [];
  for (const plan of queryPlan(summary.span)) queries.push(await roundTrips(summary, plan));
  const reopenedMs = await reopened(file);
  client.close();
  return { readMs, ...opened, reopenedMs, records: summary.records, queries, events };
}

/** How many workers read: as many as scan on a machine of two cores. */
const READERS = 2;

/** How long all of a file takes that is merely read, by workers that are there already. Then the system has it in its memory. */
async function readingMs(file: File): Promise<number> {
  const workers = Array.from(
    { length: READERS },
    () => new Worker(new URL('./readWorker.ts', import.meta.url), { type: 'module' }),
  );
  await Promise.all(workers.map(bytesRead));
  const before = performance.now();
  const part = Math.ceil(file.size / READERS);
  const parts = workers.map((worker, at) => {
    worker.postMessage(file.slice(at * part, (at + 1) * part));
    return bytesRead(worker);
  });
  const bytes = (await Promise.all(parts)).reduce((sum, each) => sum + each, 0);
  const ms = performance.now() - before;
  for (const worker of workers) worker.terminate();
  if (bytes !== file.size) throw new Error(`${bytes} of ${file.size} bytes were read`);
  return ms;
}

const bytesRead = (worker: Worker): Promise<number> =>
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Read>) => {
      if ('bytes' in data) resolve(data.bytes);
      else reject(new Error(data.error));
    };
    worker.onerror = () => reject(new Error('the file could not be read'));
  });

/** Files of this size have their model stored, a while after they were opened. */
const STORED = 4 << 20;

async function reopened(file: File): Promise<number | null> {
  if (file.size < STORED) return null;
  // A model that is being written grows, or cannot be told from one that is whole: it is as long as it was a second ago.
  let [size, before] = [0, -1];
  while (size === 0 || size !== before) {
    before = size;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    size = (await storedModels())[0]?.size ?? 0;
  }
  const started = performance.now();
  const summary = await new Promise<Summary>((resolve, reject) => {
    const off = client.on((event: EngineEvent) => {
      if (event.type !== 'opened' && event.type !== 'failed') return;
      off();
      if (event.type === 'opened') resolve(event.summary);
      else reject(new Error(`${event.error.kind}: ${event.error.what}`));
    });
    client.open({ kind: 'file', file });
  });
  if (!summary.restored) throw new Error('the stored model was not used');
  return performance.now() - started;
}

async function roundTrips(
  summary: Summary,
  { zoom, level, firstBucket, buckets }: ReturnType<typeof queryPlan>[number],
) {
  const { cpus } = summary;
  const start = ns(firstBucket * 2 ** level);
  const window = { start, end: ns(start + buckets * 2 ** level) };
  const bucketsOf = { type: 'tile', level, first_bucket: firstBucket, buckets } as const;
  return {
    zoom,
    cellsMs: await timed(() => client.query('cells', { ...bucketsOf, kind: 'cpu', variant: 'task', keys: cpus })),
    curveMs: await timed(() => client.query('curve', { ...bucketsOf, kind: 'curve', variant: null, keys: [] })),
    commandsMs: await timed(() => client.query('commands', { type: 'commands', window })),
  };
}

const ALL: EventFilter = { cpus: null, pids: null, events: null, text: '', window: null };
/** How many rows of a list fill a screen. */
const SCREEN = 60;
const PLACES = 100;

async function listEvents({ records }: Summary): Promise<EventsRound> {
  const rows = (first: number, filter = ALL): EventsQuery => ({
    type: 'event_rows',
    filter,
    mode: 'trace-cmd',
    first,
    count: SCREEN,
  });
  const firstRowsMs = await took(() => answered(rows(0)));
  const places: number[] = [];
  for (let place = 0; place < PLACES; place++) {
    // The multiples of the golden ratio are spread evenly and never repeat.
    const first = Math.floor(((place * 0.618_033_988_75) % 1) * records);
    places.push(await took(() => answered(rows(first))));
  }
  places.sort((a, b) => a - b);
  const filter = async (part: Partial<EventFilter>) => {
    const ms = await took(() => filtered(rows(0, { ...ALL, ...part })));
    return (records / ms) * 1e3;
  };
  const search: EventsQuery = {
    type: 'event_search',
    filter: ALL,
    mode: 'trace-cmd',
    text: 'not in any line',
    from: -1,
    direction: 1,
  };
  return {
    firstRowsMs,
    randomRowsMs: { median: median(places), p95: places[Math.floor(PLACES * 0.95)] ?? Number.NaN },
    nameFilterPerS: await filter({ events: ['sched_wakeup_new'] }),
    taskFilterPerS: await filter({ pids: [1] }),
    textSearchPerS: (records / (await took(() => answered(search)))) * 1e3,
  };
}

async function answered(query: EventsQuery): Promise<AnswerTo<EventsQuery>> {
  const outcome = await client.query(query.type, query);
  if (outcome.kind !== 'answer') throw new Error(`${query.type} was ${JSON.stringify(outcome)}`);
  return outcome.answer;
}

/** Resolves when the filter has seen all events. */
async function filtered(query: EventsQuery): Promise<void> {
  const complete = new Promise<void>((resolve) => {
    const off = client.onEventProgress((progress) => {
      if (!progress.complete) return;
      off();
      resolve();
    });
  });
  const answer = await answered(query);
  if (answer.type === 'event_rows' && !answer.complete) await complete;
}

async function took(run: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await run();
  return performance.now() - before;
}

async function timed(ask: () => Promise<{ kind: string }>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    const before = performance.now();
    const { kind } = await ask();
    if (kind !== 'answer') throw new Error(`a query was ${kind}`);
    times.push(performance.now() - before);
  }
  return median(times);
}

declare global {
  interface Window {
    bench: { load(): Promise<BrowserRound>; open(): Promise<Opened> };
  }
}

window.bench = { load, open: async () => (await open(chosen())).opened };
