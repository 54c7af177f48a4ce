/** Compares the list of events, as the worker has it through wasm, with trace-cmd's text for the same file. */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import init, { openTrace } from '../wasm/engine';
import initEvents, { type Events, openForEvents } from '../wasm/io';
import type { EventFilter, EventRow, EventsAnswer, EventsQuery } from './protocol';
import type { ScanJob } from './scanPool';

const fixture = (name: string) => new URL(`../../tests/fixtures/forkpipe-8cpu.${name}`, import.meta.url);
const ALL: EventFilter = { cpus: null, pids: null, events: null, text: '', window: null };

/** The raw report with latency columns and nanoseconds, without its first line, which counts the CPUs. */
let report: string[];
let events: Events;

beforeAll(async () => {
  await init({ module_or_path: readFileSync(new URL('../wasm/engine_bg.wasm', import.meta.url)) });
  await initEvents({ module_or_path: readFileSync(new URL('../wasm/io_bg.wasm', import.meta.url)) });
  report = brotliDecompressSync(readFileSync(fixture('report.br')))
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('cpus='));
  const bytes = new Uint8Array(readFileSync(fixture('dat')));
  const file = {
    size: bytes.length,
    readAt: (offset: number, length: number) => bytes.subarray(offset, offset + length),
  };
  const source = openTrace(file);
  const list = openForEvents(file, JSON.parse(source.description()).base_ns);
  for (const { index, start, end } of JSON.parse(source.jobs()) as ScanJob[]) {
    const scanner = source.scanner(index);
    scanner.push(bytes.subarray(start, end));
    list.add(scanner.finish().takeIndex() ?? new Uint8Array());
  }
  events = list.list();
  events.learnNames(Int32Array.of(), []);
});

/** Asks again and again until there is an answer. */
function ask(query: EventsQuery): EventsAnswer {
  for (let tries = 0; tries < 1000; tries++) {
    const answer = events.ask(JSON.stringify(query), 100);
    if (answer !== undefined) return JSON.parse(answer);
  }
  throw new Error('no answer');
}

function rowsOf(filter: Partial<EventFilter>): { total: number; rows: readonly EventRow[] } {
  const query: EventsQuery = {
    type: 'event_rows',
    filter: { ...ALL, ...filter },
    mode: 'raw',
    first: 0,
    count: 10_000,
  };
  ask(query);
  while (!JSON.parse(events.filterProgress()).complete) events.advance(500);
  const answer = ask(query);
  if (answer.type !== 'event_rows') throw new Error(answer.type);
  return answer;
}

/** The task, CPU, event and text of a line, with or without latency columns. */
function partsOf(line: string): (string | number | undefined)[] {
  const [, pid, cpu, event, text] = /^.*?-(\d+) +\[?(\d+)\S* +[\d.]+: (\S+): +(.*?)\s*$/.exec(line) ?? [];
  return [Number(pid), Number(cpu), event, text];
}

/** The time of a report's line in nanoseconds. */
const timeOf = (line: string) => BigInt((/ (\d+\.\d{9}): /.exec(line)?.[1] ?? '').replace('.', ''));

test('lines are those of the report', () => {
  const answer = ask({ type: 'event_lines', filter: ALL, mode: 'raw', first: 0, count: 10_000 });
  if (answer.type !== 'event_lines') throw new Error(answer.type);
  expect(answer.text.trimEnd().split('\n').map(partsOf)).toEqual(report.map(partsOf));
});

test('rows say the same in parts', () => {
  const { total, rows } = rowsOf({});
  expect(total).toBe(report.length);
  // In raw mode each field begins with a blank.
  expect(rows.map(({ pid, cpu, event, text }) => [pid, cpu, event, text.trimStart()])).toEqual(report.map(partsOf));
  const start = timeOf(report[0] ?? '');
  expect(rows.map(({ at }) => BigInt(at))).toEqual(report.map((line) => timeOf(line) - start));
});

test.each([
  ['a name', { events: ['sched:sched_switch'] }, / sched_switch: /],
  ['a CPU', { cpus: [3] }, /^.{8}-\d+ +3-0x/],
  ['a text, whatever its case', { text: 'COMM=BASH' }, /comm=bash/],
])('rows filtered by %s are the lines with it', (_, filter, pattern) => {
  const expected = report.filter((line) => pattern.test(line)).length;
  expect(expected).toBeGreaterThan(0);
  expect(rowsOf(filter).total).toBe(expected);
});

test('a search finds the next line with the text, and the one before', () => {
  const has = (line: string) => line.includes('sched_wakeup_new');
  const search = (from: number, direction: -1 | 1): EventsQuery => ({
    type: 'event_search',
    filter: ALL,
    mode: 'raw',
    text: 'sched_wakeup_new',
    from,
    direction,
  });
  const first = report.findIndex(has);
  expect(ask(search(-1, 1))).toEqual({ type: 'event_search', row: first });
  expect(ask(search(first, 1))).toEqual({
    type: 'event_search',
    row: report.findIndex((line, row) => row > first && has(line)),
  });
  expect(ask(search(report.length, -1))).toEqual({ type: 'event_search', row: report.findLastIndex(has) });
  expect(ask(search(first, -1))).toEqual({ type: 'event_search', row: null });
});
