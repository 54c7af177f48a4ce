/** `window.corelane`: what end-to-end tests read, and how they wait. It changes nothing. */
import type { TraceId } from './engine/protocolTracks';
import type { Page } from './page/page';
import type { ViewState } from './state/viewState';
import type { DrawState } from './timeline/drawState';
import type { Scene } from './timeline/scene';

export interface TestHook {
  /** Resolves when nothing loads, no query is under way, nothing moves, and the view is in the URL and a step of undo. */
  idle(): Promise<void>;
  /** Of a trace; of the first when none is named. */
  drawState(trace?: TraceId): DrawState;
  view(): ViewState;
}

declare global {
  interface Window {
    corelane: TestHook;
  }
}

/** Panes follow the window after a rest: quiet for longer than that is quiet. */
const QUIET_MS = 160;

export function installTestHook(page: Page, scene: Scene): void {
  const busy = (): boolean =>
    page.traces.get().some(({ session }) => session.kind === 'loading') ||
    !page.selected.idle ||
    document.querySelector('[aria-busy="true"]') !== null;
  const rest = async (): Promise<void> => {
    let changed = true;
    const unsubscribe = page.store.subscribe(() => {
      changed = true;
    });
    while (changed || busy()) {
      changed = false;
      await scene.idle();
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    }
    unsubscribe();
  };
  window.corelane = {
    async idle() {
      await rest();
      page.settle();
      await rest();
    },
    drawState: (trace) => scene.drawState(trace),
    view: () => page.store.getState(),
  };
}
