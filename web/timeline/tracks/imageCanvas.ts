/** Pixels on a canvas of their own, because only a canvas can be drawn stretched. */
export class ImageCanvas {
  #canvas: HTMLCanvasElement | null = null;

  /** null: there is no room for another canvas. */
  of(pixels: ImageData): HTMLCanvasElement | null {
    this.#canvas ??= document.createElement('canvas');
    const canvas = this.#canvas;
    if (canvas.width !== pixels.width) canvas.width = pixels.width;
    if (canvas.height !== pixels.height) canvas.height = pixels.height;
    const context = canvas.getContext('2d');
    context?.putImageData(pixels, 0, 0);
    return context === null ? null : canvas;
  }
}
