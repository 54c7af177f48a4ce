/** Calls `changed` whenever the device pixel ratio is another one; returns the function that ends it. */
export function watchPixelRatio(changed: () => void): () => void {
  let end = (): void => {};
  // A query tells only that one ratio no longer holds: the next one is watched by another query.
  const watch = (): void => {
    const query = matchMedia(`(resolution: ${window.devicePixelRatio || 1}dppx)`);
    const onChange = (): void => {
      end();
      watch();
      changed();
    };
    query.addEventListener('change', onChange);
    end = () => query.removeEventListener('change', onChange);
  };
  watch();
  return () => end();
}
