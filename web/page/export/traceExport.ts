/** What a saved part of a trace is called, and the command that makes the same. Pure. */
import { formatCpuList } from '../../base/cpuList';
import type { TimeWindow } from '../../base/units';
import type { Cpu, ExportFormat } from '../../engine/protocol';

export const EXPORT_FORMATS: readonly { readonly value: ExportFormat; readonly text: string; readonly hint: string }[] =
  [
    { value: 'perfetto', text: 'Perfetto', hint: 'for ui.perfetto.dev, which reads it in the browser, too' },
    { value: 'trace_dat', text: 'trace.dat', hint: 'for trace-cmd and KernelShark' },
  ];

/** What part of the trace. */
export interface ExportPart {
  readonly to: ExportFormat;
  /** null: all of it. */
  readonly window: TimeWindow | null;
  /** null: all. */
  readonly cpus: readonly Cpu[] | null;
  /** Only what their tasks did and what was done to them, and all switches; empty: everything. */
  readonly comms: readonly string[];
}

const ENDS: Readonly<Record<ExportFormat, string>> = { perfetto: '.pftrace', trace_dat: '.dat' };
/** The ends of names of traces, which another end takes the place of. */
const KNOWN = /(\.(dat|data|pftrace|perfetto-trace|proto|txt|tar|gz|zst))+$/i;

/** Seconds with all their nanoseconds that matter, as in `12.5`. */
const seconds = (ns: number): string => (ns / 1e9).toFixed(9).replace(/\.?0+$/, '');

/** As in `trace-12.5-13.pftrace`: never the trace's own name. */
export function exportName(name: string, { to, window, cpus, comms }: ExportPart): string {
  const stem = name.replace(KNOWN, '') || 'trace';
  const span = window === null ? '' : `-${seconds(window.start)}-${seconds(window.end)}`;
  const which = cpus === null ? '' : `-cpu${formatCpuList(cpus)}`;
  const who = comms.map((comm) => `-${comm.replaceAll(/[^\w.-]/g, '_')}`).join('');
  const made = `${stem}${span}${which}${who}${ENDS[to]}`;
  return made === name ? `${stem}-copy${ENDS[to]}` : made;
}

/** The same on the command line. */
export function exportCommand(name: string, part: ExportPart): string {
  const { to, window, cpus, comms } = part;
  const words = ['corelane', 'export', quoted(name), to === 'perfetto' ? '--perfetto' : '--tracedat'];
  words.push(quoted(exportName(name, part)));
  if (window !== null) words.push('--min', seconds(window.start), '--max', seconds(window.end));
  if (cpus !== null) words.push('--cpu', formatCpuList(cpus));
  for (const comm of comms) words.push('--comm', quoted(comm));
  return words.join(' ');
}

const quoted = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
