/**
 * Undo and redo of views, within one trace. Whenever the view has rested, its change is a step, whatever caused it: a
 * turn of the wheel, a typed note, or the scrolling that follows a click. The browser's history is separate: it has
 * entries for choices only, and leads from trace to trace. Going through it changes the view, which is a step here;
 * undo and redo change the view too, and the present entry of the history then holds it.
 */
import type { Store } from './store';
import { redone, type UndoStack, undone, undoStackOf, withStep } from './undoStack';

export interface Undo {
  /** A trace shows its first view. If it is the same trace as before, its steps are kept and that view is a step. */
  begin(trace: string): void;
  /** The trace is left: until the next one begins, there are no steps and nothing can be undone. */
  pause(): void;
  /** Makes a step of changes that have not rested yet. */
  flush(): void;
  /** False if there is nothing to undo or redo. */
  undo(): boolean;
  redo(): boolean;
  dispose(): void;
}

/** `restMs`: the rest after which a change is a step. */
export function connectUndo(store: Store, restMs = 300): Undo {
  let trace: string | null = null;
  let stack: UndoStack | null = null;
  let paused = true;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const stopTimer = (): void => {
    if (timer !== null) {
      clearTimeout(timer);
      timer = null;
    }
  };

  const record = (): void => {
    stopTimer();
    if (stack) {
      // The view that is undone later is then the one that the URL held.
      store.dispatch({ type: 'settle' });
      stack = withStep(stack, store.getState());
    }
  };

  const flush = (): void => {
    if (timer !== null) {
      record();
    }
  };

  const step = (to: (stack: UndoStack) => UndoStack | null): boolean => {
    flush();
    const next = paused || !stack ? null : to(stack);
    if (next === null) {
      return false;
    }
    stack = next;
    store.dispatch({ type: 'recall', view: next.present });
    return true;
  };

  const unsubscribe = store.subscribe((action) => {
    if (paused || action === null || action.type === 'settle' || action.type === 'recall') {
      return;
    }
    stopTimer();
    timer = setTimeout(record, restMs);
  });

  return {
    begin(next) {
      paused = false;
      if (stack && trace === next) {
        record();
      } else {
        stopTimer();
        trace = next;
        stack = undoStackOf(store.getState());
      }
    },
    pause() {
      flush();
      paused = true;
    },
    flush,
    undo: () => step(undone),
    redo: () => step(redone),
    dispose() {
      stopTimer();
      unsubscribe();
    },
  };
}
