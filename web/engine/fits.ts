/** Whether there will be enough memory for a trace, told while hardly any of it is scanned. */
import { formatBytes, formatCount } from '../base/format';
import type { EngineError } from './protocol';

/** What is known of a trace by what was scanned of it. */
export interface Seen {
  /** Events that the model is made of. */
  readonly rows: number;
  /** Bytes of the file in which these are, and all that hold events. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** Nanoseconds of the whole trace. */
  readonly span: number;
}

/** What a wasm module can have: addresses of 32 bits, in pages. */
const MOST = 2 ** 32 - 2 ** 16;
/** Bytes that are needed for each row while a trace is built: 41 to 46 were measured, with what can be previewed meanwhile. */
const PER_ROW = 48;
/** The share of a trace that tells what the rest of it is like. */
const TELLING = 1 / 64;
/** How much of what could be held a part should need: no part is like the whole. */
const SAFE = 0.85;

/** Why a trace has more events than memory can hold, and how to open a part of it; null if it has not, or nobody can tell yet. */
export function refusalOf(seen: Seen, name: string, isTraceDat: boolean, most = MOST): EngineError | null {
  const share = seen.bytes / seen.totalBytes;
  if (!(TELLING <= share)) return null;
  const rows = seen.rows / share;
  const needed = rows * PER_ROW;
  if (needed <= most) return null;
  const [all, part] = [seen.span, (seen.span * SAFE * most) / needed].map((ns) => Math.floor(ns / 1e9));
  const command = isTraceDat ? 'cut' : 'export --tracedat part.dat';
  const output = isTraceDat ? ' -o part.dat' : '';
  const [file, about] = [/^[\w.+-]+$/.test(name) ? name : 'FILE', formatCount(Number(rows.toPrecision(2)))];
  return {
    kind: 'memory',
    what: `it has about ${about} events of the scheduler, which need ${formatBytes(needed)} of memory, and a tab can have ${formatBytes(most)}`,
    where: null,
    advice: `Open a part of its ${all} s: \`corelane ${command} ${file} --min 0 --max ${part}${output}\` makes a file of the first ${part} s, which fits. Or record fewer events.`,
  };
}
