/** What Ctrl+C puts on the clipboard: lines for a mailing list, plain text in columns, below what they are of. Pure. */
import { formatCount } from '../../base/format';
import type { EventTextMode, Summary } from '../../engine/protocol';

/** How trace-cmd is told to print so. */
const COMMANDS: Readonly<Record<EventTextMode, string>> = {
  'trace-cmd': 'trace-cmd report',
  kernel: 'trace-cmd report -N',
  raw: 'trace-cmd report -R',
};

type Facts = Pick<Summary, 'name' | 'clock' | 'uname'>;

/** `filter`: what the list shows, in words; empty for everything. `rows`: in `lines`; `left`: selected beyond them. */
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

/** What every copy says of the trace. */
export const traceFacts = ({ name, clock, uname }: Facts): string[] =>
  [name, clock === '' ? null : `clock ${clock}`, uname === null ? null : kernelOf(uname)].filter(
    (fact) => fact !== null,
  );

/** `Linux 6.1.0-1-amd64` of `uname -a`; the rest names the machine, which need not be told. */
const kernelOf = (uname: string): string | null => /^(Linux)\s+\S+\s+(\S+)/.exec(uname)?.slice(1).join(' ') ?? null;
