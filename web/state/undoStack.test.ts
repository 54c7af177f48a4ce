import { describe, expect, it } from 'vitest';
import { ns } from '../base/units';
import { MOST_STEPS, redone, type UndoStack, undone, undoStackOf, withStep } from './undoStack';
import { initialView, type ViewState } from './viewState';

/** A view that a number identifies. */
const view = (start: number): ViewState => ({ ...initialView, window: { start: ns(start), end: ns(start + 1) } });
const starts = ({ past, present, future }: UndoStack) =>
  [past, [present], future].map((views) => views.map(({ window }) => window?.start));
const stackOf = (...numbers: number[]): UndoStack =>
  numbers.slice(1).reduce((stack, number) => withStep(stack, view(number)), undoStackOf(view(numbers[0] ?? 0)));

describe('the stack of undo', () => {
  it('goes back and forward through every step, to the very same views', () => {
    const views = [view(1), view(2), view(3)];
    let stack: UndoStack | null = undoStackOf(views[0] as ViewState);
    for (const next of views.slice(1)) stack = withStep(stack, next);
    stack = undone(stack);
    expect(stack?.present).toBe(views[1]);
    stack = stack && undone(stack);
    expect(stack?.present).toBe(views[0]);
    stack = stack && redone(stack);
    stack = stack && redone(stack);
    expect(stack?.present).toBe(views[2]);
    expect(stack && starts(stack)).toEqual([[1, 2], [3], []]);
  });

  it('ends at the first view and at the last', () => {
    expect(undone(stackOf(1))).toBeNull();
    expect(redone(stackOf(1, 2))).toBeNull();
  });

  it('forgets what was undone when another step is made', () => {
    const back = undone(stackOf(1, 2, 3));
    const stack = back && withStep(back, view(4));
    expect(stack && starts(stack)).toEqual([[1, 2], [4], []]);
  });

  it('takes a view that is as the present one for no step, and keeps what can be redone', () => {
    const back = undone(stackOf(1, 2));
    expect(back && withStep(back, view(1))).toBe(back);
  });

  it('is bounded: the oldest steps are forgotten', () => {
    const stack = stackOf(...Array.from({ length: MOST_STEPS + 6 }, (_, i) => i));
    expect(stack.past).toHaveLength(MOST_STEPS);
    expect(stack.past[0]?.window?.start).toBe(5);
  });
});
