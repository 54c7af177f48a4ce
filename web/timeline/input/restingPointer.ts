/** When the view moves below a resting pointer, looks up what is under it as if the pointer had moved. */
import type { Effect, RangeEdge } from './gestures';
import { listenToHands } from './listen';

export class RestingPointer {
  #again: (() => void) | null = null;

  /** Like `listenToHands`. */
  listen(
    element: HTMLElement,
    origin: { readonly x: number; readonly y: number },
    act: (effect: Effect) => void,
    edgeAt?: (x: number) => RangeEdge | null,
  ) {
    let own: (() => void) | null = null;
    const leave = (): void => {
      if (this.#again === own) this.#again = null;
    };
    const unlisten = listenToHands(
      element,
      origin,
      (effect) => {
        if (effect.type === 'leave') leave();
        if (effect.type === 'hover') {
          own = () => act(effect);
          this.#again = own;
        }
        act(effect);
      },
      edgeAt,
    );
    return (): void => {
      leave();
      unlisten();
    };
  }

  /** Called when what is on the screen has moved. */
  follow(): void {
    this.#again?.();
  }
}
