/**
 * What Ctrl+C puts on the clipboard: plain-text columns for a mailing list, below a line that names the trace. Pure.
 */
import { formatCount } from '../../base/format';
import type { EventTextMode, Summary } from '../../engine/protocol';

/** The trace-cmd command that prints events like this. */
const COMMANDS: Readonly<Record<EventTextMode, string>> = {
  'trace-cmd': 'trace-cmd report',
  kernel: 'trace-cmd report -N',
  raw: 'trace-cmd report -R',
};

type Facts = Pick<Summary, 'name' | 'clock' | 'uname'>;

/**
 * `filter`: what the list shows, in words; empty for everything. `rows`: how many rows are in `lines`, and how many
 * more are selected.
 */
export function copyText(
  trace: Facts,
  mode: EventTextMode,
  filter: string,
  rows: { readonly copied: number; readonly left: number },
  lines: string,
): string {
  const facts = [
    ...traceFacts(trace),
    `${COMMANDS[mode]}, ${formatCount(rows.copied)} ${rows.copied === 1 ? 'event' : 'events'}`,
    filter === '' ? null : `only ${filter}`,
  ];
  const rest = rows.left > 0 ? `# ... and ${formatCount(rows.left)} more\n` : '';
  return `# ${facts.filter(Boolean).join(', ')}\n${lines}${rest}`;
}

/** What every copy says about the trace. */
export const traceFacts = ({ name, clock, uname }: Facts): string[] =>
  [name, clock === '' ? null : `clock ${clock}`, uname === null ? null : kernelOf(uname)].filter(
    (fact) => fact !== null,
  );

/** `Linux 6.1.0-1-amd64` from `uname -a`; the rest would reveal the name of the machine. */
const kernelOf = (uname: string): string | null => /^(Linux)\s+\S+\s+(\S+)/.exec(uname)?.slice(1).join(' ') ?? null;
