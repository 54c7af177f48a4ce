/** Two traces side by side, command by command. Pure. */
import type { CommandRow } from '../../engine/protocol';

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
