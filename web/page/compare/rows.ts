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

/** `×1.25`: the other in terms of the first; `new` and `gone` where one of them is nothing. */
export function ratioInWords(first: number, other: number): string {
  if (first === 0) return other === 0 ? '–' : 'new';
  if (other === 0) return 'gone';
  const ratio = other / first;
  return `×${ratio >= 100 ? ratio.toFixed(0) : ratio >= 10 ? ratio.toFixed(1) : ratio >= 0.1 ? ratio.toFixed(2) : ratio.toPrecision(2)}`;
}
