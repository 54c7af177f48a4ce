/**
 * The view in the browser's history. A discrete step (a click, a control) makes a new entry. Panning, zooming and
 * typing, undo and redo change the present entry some time after they rest, because browsers refuse many changes in a
 * row.
 */
import type { Store } from './store';
import type { Action, ViewState } from './viewState';

type HistoryApi = Pick<History, 'pushState' | 'replaceState'>;

export interface ViewHistory {
  /** Writes changes that have not been written yet. */
  flush(): void;
  /** Makes an entry for the present view because a trace was opened, whatever changed. */
  push(): void;
  /** Replaces the present entry by the present view. */
  replace(): void;
  /** The browser went to another entry: changes that were not written yet belonged to the previous one. */
  moved(): void;
  dispose(): void;
}

export interface HistoryOptions {
  readonly store: Store;
  readonly history: HistoryApi;
  /** The URL (relative) of a view; null while there is no trace to speak of. */
  readonly urlOf: (view: ViewState) => string | null;
  readonly restMs?: number;
}

export function connectHistory({ store, history, urlOf, restMs = 300 }: HistoryOptions): ViewHistory {
  let written: string | null = null;
  /** The view that the present entry should hold but does not yet. */
  let pending: ViewState | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const write = (view: ViewState, how: 'push' | 'replace'): void => {
    const url = urlOf(view);
    if (url === null || (url === written && how === 'replace')) {
      return;
    }
    written = url;
    if (how === 'push') {
      history.pushState(null, '', url);
    } else {
      history.replaceState(null, '', url);
    }
  };

  const stopTimer = (): void => {
    if (timer !== null) {
      clearTimeout(timer);
      timer = null;
    }
  };

  const flush = (): void => {
    stopTimer();
    if (pending) {
      pending = null;
      store.dispatch({ type: 'settle' });
      write(store.getState(), 'replace');
    }
  };

  const unsubscribe = store.subscribe((action) => {
    switch (action === null ? 'none' : historyStep(action)) {
      case 'none':
        break;
      case 'rest':
        pending = store.getState();
        stopTimer();
        timer = setTimeout(flush, restMs);
        break;
      case 'push':
        stopTimer();
        if (pending) {
          // The entry that is left keeps the window that was on the screen.
          write(pending, 'replace');
          pending = null;
          // The new entry begins with the same window, in whole ns.
          store.dispatch({ type: 'settle' });
        }
        if (urlOf(store.getState()) !== written) {
          write(store.getState(), 'push');
        }
        break;
    }
  });

  return {
    flush,
    push() {
      flush();
      write(store.getState(), 'push');
    },
    replace() {
      pending = null;
      stopTimer();
      written = null;
      write(store.getState(), 'replace');
    },
    moved() {
      stopTimer();
      pending = null;
      written = null;
    },
    dispose() {
      stopTimer();
      unsubscribe();
    },
  };
}

/** What an action does to the history. */
function historyStep(action: Action): 'push' | 'rest' | 'none' {
  switch (action.type) {
    case 'zoom':
    case 'pan':
    case 'moveTo':
    case 'lanes':
    case 'target':
    case 'event':
    case 'note':
    case 'tab':
    case 'table':
    case 'taskLanes':
    case 'recall':
      return 'rest';
    case 'filter':
    case 'events':
    case 'calls':
    case 'pairs':
    case 'schedExt':
      return action.typing ? 'rest' : 'push';
    case 'timeMark':
      return action.dragging ? 'rest' : 'push';
    case 'settle':
    case 'restore':
      return 'none';
    case 'showWindow':
    case 'select':
    case 'reveal':
    case 'range':
    case 'colour':
    case 'counter':
    case 'toggleHighlight':
    case 'clearHighlight':
    case 'targetCommand':
    case 'forked':
    case 'depth':
    case 'cpus':
    case 'afterSleep':
    case 'showEvent':
    case 'findings':
    case 'arrows':
    case 'showFinding':
    case 'mark':
    case 'unmark':
    case 'latency':
    case 'showCall':
    case 'relations':
    case 'topology':
    case 'tasks':
    case 'clear':
      return 'push';
  }
}
