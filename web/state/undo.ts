/**
 * Undo and redo of views, within one trace. A step is made whenever the view has rested, whatever changed it: a wheel that
 * turns, a note that is typed and the scrolling that follows a click are one step each. The browser's history is another
 * thing: it has entries for choices only, and leads from trace to trace. Going through it changes the view, which is a
 * step here; undo and redo change the view, which the present entry of the history then holds.
 */
import type { Store } from './store';
import { redone, type UndoStack, undone, undoStackOf, withStep } from './undoStack';

export interface Undo {
  /** A trace shows its first view. The steps of the trace before are kept when it is the same one: that view is a step. */
  begin(trace: string): void;
  /** The trace is left: nothing is a step, and nothing is undone, until the next one begins. */
  pause(): void;
  /** What has not rested yet is a step now. */
  flush(): void;
  /** False when there is nothing to undo, to redo. */
  undo(): boolean;
  redo(): boolean;
  dispose(): void;
}

/** `restMs`: after such a rest a change is a step. */
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
      // What is undone later is what the URL held.
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
