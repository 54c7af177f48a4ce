/** Pixels on a canvas of their own, because only a canvas can be drawn stretched. */
export class ImageCanvas {
  #canvas: HTMLCanvasElement | null = null;
  #pixels: ImageData | null = null;

  /** An empty picture, which is made anew only for another size: one for each frame would be much to throw away. */
  empty(width: number, height: number): ImageData {
    const known = this.#pixels;
    if (known?.width === width && known.height === height) {
      known.data.fill(0);
      return known;
    }
    this.#pixels = new ImageData(width, height);
    return this.#pixels;
  }

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
