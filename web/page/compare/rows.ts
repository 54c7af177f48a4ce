/** Two traces side by side, command by command. Pure. */
import type { CommandNumbers, CommandRow, ComparedCommand, Comparison, Shift, Spot } from '../../engine/protocol';

export const COMPARED = ['execution_ns', 'waiting_ns', 'switches_to', 'pids'] as const;
/** A number of a command that is compared. */
export type Compared = (typeof COMPARED)[number];

export interface ComparedRow {
  readonly comm: string;
  /** In the first trace and in the other; 0 where the command did not run. */
  readonly first: number;
  readonly other: number;
  readonly difference: number;
}

/** Numbers that take a walk over both traces; of latencies and waits the medians are compared. */
export const STUDIED = ['latency', 'wait', 'behind_ns', 'migrations'] as const;
export type Studied = (typeof STUDIED)[number];

export const isStudied = (measure: Compared | Studied): measure is Studied => STUDIED.some((name) => name === measure);

/** How two samples differ, if the number is of samples. */
export interface StudiedRow extends ComparedRow {
  readonly shift: Shift | null;
  readonly firstSpot: Spot | null;
  readonly otherSpot: Spot | null;
}

const NO_SAMPLE = { firstSpot: null, otherSpot: null, shift: null };

/** A row for each command of either trace that has such a number. */
export function studiedRows({ commands }: Comparison, measure: Studied): StudiedRow[] {
  const rows = commands.map((command): StudiedRow => {
    const [first, other] = [numberOf(command.first, measure), numberOf(command.other, measure)];
    const row = { comm: command.comm, first, other, difference: other - first };
    return { ...row, ...(isSample(measure) ? sampleOf(command, measure) : NO_SAMPLE) };
  });
  return rows.filter(({ first, other }) => first > 0 || other > 0);
}

const isSample = (measure: Studied): measure is 'latency' | 'wait' => measure === 'latency' || measure === 'wait';

const sampleOf = ({ first, other, ...shifts }: ComparedCommand, measure: 'latency' | 'wait') => ({
  firstSpot: first[measure],
  otherSpot: other[measure],
  shift: shifts[measure],
});

const numberOf = (numbers: CommandNumbers, measure: Studied): number =>
  isSample(measure) ? (numbers[measure].p50 ?? 0) : numbers[measure];

/** `73 %, p < 0.001`: how often the other's is longer, and how probable that is by chance. */
export function shiftInWords(shift: Shift | null): string {
  if (shift === null) return 'too few';
  const p = shift.p < 0.001 ? 'p < 0.001' : `p = ${shift.p.toFixed(3)}`;
  return `${(100 * shift.other_longer).toFixed(0)} %, ${p}`;
}

/** A row for each command of either trace. */
export function comparedRows(
  first: readonly CommandRow[],
  other: readonly CommandRow[],
  compared: Compared,
): ComparedRow[] {
  const theirs = new Map(other.map((row) => [row.comm, row[compared]]));
  const ours = new Map(first.map((row) => [row.comm, row[compared]]));
  return [...new Set([...ours.keys(), ...theirs.keys()])].map((comm) => {
    const [a, b] = [ours.get(comm) ?? 0, theirs.get(comm) ?? 0];
    return { comm, first: a, other: b, difference: b - a };
  });
}

/** Threads of the kernel that exist for each CPU or pool, such as `kworker/14:1`: what comes before the slash names the kind. */
const KERNEL_THREAD = /^(kworker|ksoftirqd|migration|cpuhp|idle_inject|irq|rcuc|rcuop|rcuog|rcuos|watchdog)\//;

/** Sums the rows of kernel threads of one kind into one, `kworker/…`, but for the kinds that are `open`. Only for sums. */
export function foldKernelThreads(rows: readonly ComparedRow[], open: readonly string[]): ComparedRow[] {
  const kinds = new Map<string, ComparedRow[]>();
  const folded: ComparedRow[] = [];
  for (const row of rows) {
    const kind = KERNEL_THREAD.exec(row.comm)?.[1];
    if (kind === undefined || open.includes(`${kind}/…`)) folded.push(row);
    else kinds.set(kind, [...(kinds.get(kind) ?? []), row]);
  }
  for (const [kind, members] of kinds) {
    const sum = (of: 'first' | 'other' | 'difference'): number => members.reduce((total, row) => total + row[of], 0);
    const [only] = members;
    const isOne = members.length === 1 && only !== undefined;
    folded.push(
      isOne ? only : { comm: `${kind}/…`, first: sum('first'), other: sum('other'), difference: sum('difference') },
    );
  }
  return folded;
}

/** The most letters at the beginning of two names that are shown though both have them. */
const MOST_ALIKE = 6;

/** Two file names without their ending, and without a long beginning that both share: `…badplace` and `…overload`. */
export function namesApart(first: string, other: string): readonly [string, string] {
  const [a, b] = [first, other].map((name) => name.replace(/\.(dat|pftrace|txt)$/, '')) as [string, string];
  if (a === b) return [first, other];
  let alike = 0;
  while (alike < Math.min(a.length, b.length) && a[alike] === b[alike]) alike++;
  return alike <= MOST_ALIKE ? [a, b] : [`…${a.slice(alike)}`, `…${b.slice(alike)}`];
}

/** `×1.25`: the other in terms of the first; `new` and `gone` where one of them is nothing. */
export function ratioInWords(first: number, other: number): string {
  if (first === 0) return other === 0 ? '–' : 'new';
  if (other === 0) return 'gone';
  const ratio = other / first;
  return `×${ratio >= 100 ? ratio.toFixed(0) : ratio >= 10 ? ratio.toFixed(1) : ratio >= 0.1 ? ratio.toFixed(2) : ratio.toPrecision(2)}`;
}
