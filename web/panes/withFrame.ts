/**
 * Texts that follow the pointer or the window, written into the document without React. They are written with the frame, after the
 * scene's painting: pointer events ask for positions, and canvases for the style of their texts, and either would force a layout.
 */

/** `write` whenever something changes, once a frame; `subscribe` are functions that listen and return how to stop. */
export function withFrame(
  write: () => void,
  ...subscribe: readonly ((changed: () => void) => () => void)[]
): () => void {
  let waiting = false;
  let ended = false;
  const written = (): void => {
    waiting = false;
    if (!ended) {
      write();
    }
  };
  const changed = (): void => {
    if (waiting) {
      return;
    }
    waiting = true;
    // The scene hears of the same change and asks for its frame at once, and frames are called in the order in which they were asked.
    queueMicrotask(() => requestAnimationFrame(written));
  };
  const endings = subscribe.map((listen) => listen(changed));
  return () => {
    ended = true;
    for (const end of endings) {
      end();
    }
  };
}
