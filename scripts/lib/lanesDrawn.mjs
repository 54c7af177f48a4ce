/**
 * Resolves in the frame after which the page's lanes show something. It is run in the page, so it stands alone.
 * @returns {Promise<void>}
 */
export function lanesDrawn() {
  return new Promise((resolve) => {
    const { window } = /** @type {any} */ (globalThis);
    const look = () => {
      const lanes = window.corelane?.drawState().lanes ?? [];
      if (lanes.some((/** @type {{ busy: number }} */ { busy }) => busy > 0)) resolve();
      else window.requestAnimationFrame(look);
    };
    window.requestAnimationFrame(look);
  });
}
