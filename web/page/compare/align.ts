/** Where a trace beside the first begins on the first one's time axis. Pure. */
import { type Ns, ns } from '../../base/units';
import type { Summary } from '../../engine/protocol';
import type { TimeMarks } from '../../state/marks';

export type Alignment = 'start' | 'sleep' | 'end' | 'a' | 'b' | 'filter';

export const ALIGNMENTS: readonly { readonly value: Alignment; readonly text: string }[] = [
  { value: 'start', text: 'at the start' },
  { value: 'sleep', text: 'at the end of the leading sleep' },
  { value: 'end', text: 'at the end' },
  { value: 'a', text: 'its start at mark A' },
  { value: 'b', text: 'its start at mark B' },
  { value: 'filter', text: 'at the first event that passes the filter' },
];

/** `passing`: when the first event passes the filter; null: none does, or there is no filter. */
type Aligned = Pick<Summary, 'span' | 'after_sleep'> & { readonly passing?: Ns | null };

/** The offset of `other` so that both are aligned; null where one of them lacks what they are aligned at. */
export function offsetFor(alignment: Alignment, first: Aligned, other: Aligned, marks: TimeMarks): Ns | null {
  switch (alignment) {
    case 'start':
      return ns(0);
    case 'sleep':
      if (first.after_sleep === null || other.after_sleep === null) return null;
      return ns(first.after_sleep - other.after_sleep);
    case 'end':
      return ns(first.span - other.span);
    case 'filter':
      return first.passing == null || other.passing == null ? null : ns(first.passing - other.passing);
    case 'a':
    case 'b':
      return marks[alignment] === null ? null : ns(Math.round(marks[alignment]));
  }
}

/** How two recordings are compared at first: where their work begins, if both say so by a leading sleep. */
export const firstOffset = (first: Aligned, other: Aligned): Ns =>
  offsetFor('sleep', first, other, { a: null, b: null }) ?? ns(0);

/** The alignment that an offset is the result of; null: none of them. */
export const alignmentOf = (offset: Ns, first: Aligned, other: Aligned, marks: TimeMarks): Alignment | null =>
  ALIGNMENTS.find(({ value }) => offsetFor(value, first, other, marks) === offset)?.value ?? null;
