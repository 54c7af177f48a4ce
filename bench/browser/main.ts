/** The page of the browser's part of the bench: loads the chosen file through the engine and tells how long it took. */
import { ns } from '../../web/base/units';
import { EngineClient, type EngineEvent } from '../../web/engine/client';
import type { Summary } from '../../web/engine/protocol';
import { median, queryPlan } from '../plan.mjs';

/** Milliseconds since `open`, at the end of each stage. */
interface BrowserRound {
  metadataMs: number;
  firstPreviewMs: number | null;
  scannedMs: number;
  openedMs: number;
  previews: number;
  records: number;
  /** Round trips: worker, wasm and both messages. */
  queries: { zoom: number; cellsMs: number; curveMs: number; commandsMs: number }[];
}

const client = new EngineClient();

async function load(): Promise<BrowserRound> {
  const file = document.querySelector<HTMLInputElement>('#file')?.files?.[0];
  if (file === undefined) throw new Error('no file was chosen');
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
          if (event.progress.stage === 'building') round.scannedMs = now;
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
  const openedMs = performance.now() - started;
  const queries = [];
  for (const plan of queryPlan(summary.span)) queries.push(await roundTrips(summary, plan));
  client.close();
  return { ...round, openedMs, records: summary.records, queries };
}

async function roundTrips(
  summary: Summary,
  { zoom, level, firstBucket, buckets }: ReturnType<typeof queryPlan>[number],
) {
  const { cpus } = summary;
  const start = ns(firstBucket * 2 ** level);
  const window = { start, end: ns(start + buckets * 2 ** level) };
  return {
    zoom,
    cellsMs: await timed(() =>
      client.query('cells', { type: 'cells', level, firstBucket, buckets, cpus, key: 'task' }),
    ),
    curveMs: await timed(() => client.query('curve', { type: 'curve', level, firstBucket, buckets })),
    commandsMs: await timed(() => client.query('commands', { type: 'commands', window })),
  };
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
    bench: { load(): Promise<BrowserRound> };
  }
}

window.bench = { load };
