/** The views of one trace that undo and redo go through. Pure. */
import type { ViewState } from './viewState';

export interface UndoStack {
  /** The views before the present one, the oldest first. */
  readonly past: readonly ViewState[];
  readonly present: ViewState;
  /** The views that were undone; the next one to redo comes first. */
  readonly future: readonly ViewState[];
}

/** The most steps that can be undone; older ones are dropped. A view is a few KB at most. */
export const MOST_STEPS = 200;

export const undoStackOf = (view: ViewState): UndoStack => ({ past: [], present: view, future: [] });

/** Adds `view` as a step, and drops what was undone. The same view again is no step. */
export function withStep(stack: UndoStack, view: ViewState): UndoStack {
  if (isSame(stack.present, view)) {
    return stack;
  }
  return { past: [...stack.past, stack.present].slice(-MOST_STEPS), present: view, future: [] };
}

/** null: there is nothing to undo. */
export function undone({ past, present, future }: UndoStack): UndoStack | null {
  const view = past.at(-1);
  return view === undefined ? null : { past: past.slice(0, -1), present: view, future: [present, ...future] };
}

/** null: there is nothing to redo. */
export function redone({ past, present, future }: UndoStack): UndoStack | null {
  const [view, ...rest] = future;
  return view === undefined ? null : { past: [...past, present], present: view, future: rest };
}

/** Whether two views are the same: they are plain data, and their fields keep their order. */
const isSame = (a: ViewState, b: ViewState): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
