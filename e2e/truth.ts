/**
 * The truth about the fixtures, from `trace-cmd report` alone: expected values come from here and from the manifests,
 * never from the page.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { type DerivedTrace, deriveNumbers, deriveTrace, type Numbers } from '../tests/derive/numbers.mjs';
import { type Report, ReportReader } from '../tests/derive/report.mjs';

const FOLDER = join(import.meta.dirname, '..', 'tests', 'fixtures');

export interface Run {
  readonly cpu: number;
  /** ns since the trace's first event. */
  readonly start: number;
  readonly end: number;
  readonly kind: 'run' | 'idle' | 'unknown';
  readonly pid: number;
  readonly comm: string;
}

/** A stretch of a task's life; ns since the trace's first event. */
export interface Spell {
  readonly state: 'running' | 'runnable';
  readonly pid: number;
  readonly generation: number;
  /** All names that the task ever had. */
  readonly comms: ReadonlySet<string>;
  /** Where it ran, or where a wait ended; undefined if a wait did not end. */
  readonly cpu: number | undefined;
  readonly start: number;
  readonly end: number;
}

export interface Truth {
  readonly name: string;
  readonly bytes: Buffer;
  readonly cpus: number;
  readonly span: number;
  /** Absolute time of the first event, ns. */
  readonly base: bigint;
  /** Every interval of every CPU. */
  readonly intervals: readonly Run[];
  /** Every run and every wait of every task. */
  readonly spells: readonly Spell[];
  readonly report: Report;
  readonly derived: DerivedTrace;
  readonly numbers: Numbers;
}

const known = new Map<string, Truth>();

export function truthOf(name: string): Truth {
  const truth = known.get(name) ?? read(name);
  known.set(name, truth);
  return truth;
}

function read(name: string): Truth {
  const facts = factsOf(name);
  const reader = new ReportReader(Object.keys(facts.instance_event_counts ?? {}));
  for (const line of storedText(`${name}.report`).split('\n')) reader.push(line);
  const report = reader.finish();
  const trace = deriveTrace(report, facts.sched_switch_print_fmt);
  return {
    name: `${name}.dat`,
    bytes: fileBytes(name),
    cpus: facts.cpus,
    span: report.last - report.first,
    base: report.origin + BigInt(report.first),
    intervals: trace.lanes.flatMap((lane, cpu) =>
      lane.map(({ start, end, kind, pid, comm }) => ({
        cpu,
        start: start - report.first,
        end: end - report.first,
        kind,
        pid,
        comm,
      })),
    ),
    spells: [
      ...trace.story.runs.map((run) => ({ state: 'running' as const, ...run })),
      ...trace.story.waits.map((wait) => ({ state: 'runnable' as const, ...wait })),
    ].map(({ state, task, cpu, start, end }) => ({
      state,
      pid: task.pid,
      generation: task.generation,
      comms: task.comms,
      cpu,
      start: start - report.first,
      end: end - report.first,
    })),
    report,
    derived: trace,
    numbers: deriveNumbers(trace),
  };
}

/** The print fmt line of the trace's `sched_switch`. */
export const printFmtOf = (name: string): string => factsOf(name).sched_switch_print_fmt;

const factsOf = (name: string) => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));

export function fileBytes(name: string, folder: string = FOLDER): Buffer {
  try {
    return readFileSync(join(folder, `${name}.dat`));
  } catch {
    return unpacked(`${name}.dat`, folder);
  }
}

/** A text beside the fixtures. */
export const storedText = (name: string): string => unpacked(name).toString();

const unpacked = (name: string, folder: string = FOLDER): Buffer =>
  brotliDecompressSync(readFileSync(join(folder, `${name}.br`)));

/** Runs by length, the longest first. */
export const longestRuns = ({ intervals }: Truth): Run[] =>
  intervals.filter(({ kind }) => kind === 'run').sort((a, b) => b.end - b.start - (a.end - a.start));
