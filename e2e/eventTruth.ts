/**
 * The rows that the list of events has to show, from the stored text of `trace-cmd report`: one for each of its lines.
 */
import { join } from 'node:path';
import { readTexts } from '../tests/report/texts.mjs';
import { fileBytes, storedText, truthOf } from './truth';

const TEXTS = join(import.meta.dirname, '..', 'tests', 'report', 'fixtures');

export interface TrueEvent {
  readonly cpu: number;
  /** ns since the trace's first event. */
  readonly at: number;
  readonly pid: number;
  readonly comm: string;
  readonly event: string;
  /** What `-R` prints behind the event's name. */
  readonly fields: string;
  /** How many events were dropped on this CPU just before; `some` if their number is unknown. */
  readonly lost: number | 'some' | null;
}

/** With `-l` the name of the task is cut; the text without options has all of it. */
const LINE = /^ *.*-(\d+) +(\d+)-0x[0-9a-f]+ +(\d+)\.(\d{9}): ([^\s:]+): *(.*)$/;
const DROPPED = /^CPU:(\d+) \[(?:(\d+) )?EVENTS DROPPED\]$/;
const TASK = /^ *(.*)-\d+ +\[\d+\]/;

/** Every event of the main buffer, in the order of the report. `plain`: the report's lines without options. */
export function eventsOf(name: string, plain: readonly string[] = []): TrueEvent[] {
  const { base } = truthOf(name);
  const lost = new Map<number, number | 'some'>();
  const events: TrueEvent[] = [];
  for (const line of storedText(`${name}.report`).split('\n')) {
    const dropped = DROPPED.exec(line);
    if (dropped) lost.set(Number(dropped[1]), dropped[2] === undefined ? 'some' : Number(dropped[2]));
    const found = LINE.exec(line);
    if (!found) continue;
    const [, pid, cpuText, whole = '', fraction = '', event = '', fields = ''] = found;
    const cpu = Number(cpuText);
    const at = Number(BigInt(whole + fraction) - base);
    const comm = TASK.exec(plain[events.length] ?? '')?.[1] ?? '';
    events.push({ cpu, at, pid: Number(pid), comm, event, fields: fields.trimEnd(), lost: lost.get(cpu) ?? null });
    lost.delete(cpu);
  }
  return events;
}

/** The lines of `trace-cmd report`, without options, in the same order. */
export const plainLines = (name: string): string[] =>
  (readTexts(join(TEXTS, `${name}.texts.br`)).texts.report?.toString() ?? '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('cpus='));

const PLAIN = /^ *(.*-\d+) +\[(\d+)\] +(\d+\.\d{6}): ([^\s:]+): *(.*)$/;

/** How a row shows the event of a line without options, except for its time. */
export function lineAsRow(line: string): string {
  const [, task, cpu, , event, text] = PLAIN.exec(line) ?? [];
  return [Number(cpu), task, event, text].join(' | ');
}

/** The recording whose texts are `plainLines`. */
export const reportedBytes = (name: string): Buffer => fileBytes(name, TEXTS);

/** How a row shows an event in raw mode. */
export const asRow = ({ at, cpu, comm, pid, event, fields }: TrueEvent): string =>
  [(at / 1e9).toFixed(9), cpu, `${comm}-${pid}`, event, fields].join(' | ');
