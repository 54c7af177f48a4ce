/** The marks A and B: two instants whose distance is measured. Pure. */
import { type Ns, ns } from '../base/units';

export type TimeMarkName = 'a' | 'b';

/** The marks; null: not set. */
export type TimeMarks = Readonly<Record<TimeMarkName, Ns | null>>;

export const TIME_MARKS: readonly TimeMarkName[] = ['a', 'b'];

export const noTimeMarks: TimeMarks = { a: null, b: null };

/** Sets a mark at a whole ns of the trace, or removes it. */
export function withTimeMark(marks: TimeMarks, name: TimeMarkName, at: Ns | null, span: Ns): TimeMarks {
  const kept = at === null ? null : ns(Math.min(Math.max(Math.round(at), 0), span));
  return marks[name] === kept ? marks : { ...marks, [name]: kept };
}

/** The time from A to B, negative where B is the earlier; null unless both are set. */
export const markDistance = ({ a, b }: TimeMarks): number | null => (a === null || b === null ? null : b - a);
