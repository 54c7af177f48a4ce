/** The pointer rests while the view moves below it: what it is over then is looked up as if it had moved. */
import type { Effect } from './gestures';
import { listenToHands } from './listen';

export class RestingPointer {
  #again: (() => void) | null = null;

  /** As `listenToHands`. */
  listen(element: HTMLElement, origin: { readonly x: number; readonly y: number }, act: (effect: Effect) => void) {
    let own: (() => void) | null = null;
    const leave = (): void => {
      if (this.#again === own) this.#again = null;
    };
    const unlisten = listenToHands(element, origin, (effect) => {
      if (effect.type === 'leave') leave();
      if (effect.type === 'hover') {
        own = () => act(effect);
        this.#again = own;
      }
      act(effect);
    });
    return (): void => {
      leave();
      unlisten();
    };
  }

  /** What is on the screen has moved. */
  follow(): void {
    this.#again?.();
  }
}
