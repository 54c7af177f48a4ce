/** `window.corelane`: lets end-to-end tests read the state and wait. It changes nothing. */
import { painted, restsUnderWay } from './base/rest';
import type { TraceId } from './engine/protocolTracks';
import type { Page } from './page/page';
import type { ViewState } from './state/viewState';
import type { DrawState } from './timeline/drawState';
import type { Scene } from './timeline/scene';

export interface TestHook {
  /**
   * Resolves when nothing loads, no query is under way, nothing moves, and the view is in the URL and a step of undo.
   */
  idle(): Promise<void>;
  /** The draw state of a trace, by default of the first. */
  drawState(trace?: TraceId): DrawState;
  view(): ViewState;
}

declare global {
  interface Window {
    corelane: TestHook;
  }
}

/**
 * Other parts may react in the next frame to what a frame changes: after this many frames without a change, all rests.
 */
const QUIET_FRAMES = 2;

export function installTestHook(page: Page, scene: Scene): void {
  const busy = (): boolean =>
    page.traces.get().some(({ session, engine }) => session.kind === 'loading' || engine.waiting > 0) ||
    restsUnderWay() > 0 ||
    !page.selected.idle ||
    !page.profiles.idle ||
    document.querySelector('[aria-busy="true"]') !== null;
  const rest = async (): Promise<void> => {
    let changed = true;
    const note = (): void => {
      changed = true;
    };
    const unsubscribe = page.store.subscribe(note);
    const observer = new MutationObserver(note);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    while (changed || busy()) {
      changed = false;
      await scene.idle();
      for (let frame = 0; frame < QUIET_FRAMES; frame++) await painted();
    }
    observer.disconnect();
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
