/** Parts of lanes that are mixed towards the ink. They are kept in arrays of numbers, which the next ones take. */
import { packColour } from '../../../gl/columns';
import { toRgb } from '../../frame/colours';

/** How far the colour is mixed towards the ink, at most. */
const STRENGTH = 0.35;
/** How many strengths are told apart: as many as can be seen. */
const STEPS = 64;
/**
 * From so many patches on their pixels are written one by one: filling each would take a tenth of a second for a command that runs on hundreds of
 * CPUs.
 */
const MANY = 4000;

/** The step for a share of the full strength: an integer of 32 bits, which is no object. */
export const stepOf = (share: number): number => (share * STEPS + 0.5) | 0;

/** In device pixels. */
export interface Patch {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** How far it is mixed towards the ink, from 0 to 1. */
  readonly strength: number;
}

export class Patches {
  #count = 0;
  /** Four numbers for each: x, y, width, height. */
  #places = new Int32Array(4 * 1024);
  /** The strength of each, in steps. */
  #steps = new Uint8Array(1024);
  /** By strength, whether there are such patches. */
  readonly #used = new Uint8Array(STEPS + 1);
  /** The pixels of the last many. */
  #image: ImageData | null = null;

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
    this.#used.fill(0);
  }

  /** Adds a column, or widens the patch on its left if that is like it. `step`: its strength, see `stepOf`. */
  add(x: number, y: number, height: number, step: number): void {
    const last = 4 * (this.#count - 1);
    if (
      this.#count > 0 &&
      this.#steps[this.#count - 1] === step &&
      this.#places[last + 1] === y &&
      this.#places[last + 3] === height &&
      (this.#places[last] ?? 0) + (this.#places[last + 2] ?? 0) === x
    ) {
      this.#places[last + 2] = x + 1 - (this.#places[last] ?? 0);
      return;
    }
    if (this.#count === this.#steps.length) this.#grow();
    const at = 4 * this.#count;
    this.#places[at] = x;
    this.#places[at + 1] = y;
    this.#places[at + 2] = 1;
    this.#places[at + 3] = height;
    this.#steps[this.#count] = step;
    this.#used[step] = 1;
    this.#count++;
  }

  /** As objects, for tests. */
  list(): Patch[] {
    return Array.from({ length: this.#count }, (_, i) => {
      const [x = 0, y = 0, width = 0, height = 0] = this.#places.subarray(4 * i, 4 * i + 4);
      return { x, y, width, height, strength: ((this.#steps[i] ?? 0) / STEPS) * STRENGTH };
    });
  }

  /** Paints them on a canvas that is already cleared. No two of them overlap. */
  paint(context: CanvasRenderingContext2D, ink: string): void {
    if (this.#count < MANY) this.#fill(context, ink);
    else this.#write(context, ink);
  }

  /** One strength after the other: to set one takes longer than to fill. */
  #fill(context: CanvasRenderingContext2D, ink: string): void {
    const places = this.#places;
    context.fillStyle = ink;
    for (let step = 1; step <= STEPS; step++) {
      if (this.#used[step] === 0) continue;
      context.globalAlpha = (step / STEPS) * STRENGTH;
      for (let i = 0; i < this.#count; i++) {
        if (this.#steps[i] !== step) continue;
        const at = 4 * i;
        context.fillRect(places[at] ?? 0, places[at + 1] ?? 0, places[at + 2] ?? 0, places[at + 3] ?? 0);
      }
    }
    context.globalAlpha = 1;
  }

  #write(context: CanvasRenderingContext2D, ink: string): void {
    const { width, height } = context.canvas;
    const known = this.#image?.width === width && this.#image.height === height ? this.#image : null;
    const image = known ?? context.createImageData(width, height);
    this.#image = image;
    const pixels = new Uint32Array(image.data.buffer);
    pixels.fill(0);
    const colour = toRgb(ink);
    const alphas = Array.from({ length: STEPS + 1 }, (_, step) => Math.round((step / STEPS) * STRENGTH * 255));
    const words = Uint32Array.from(alphas, (alpha) => packColour(colour, alpha));
    for (let i = 0; i < this.#count; i++) {
      const [x, y] = [this.#places[4 * i] ?? 0, this.#places[4 * i + 1] ?? 0];
      const end = Math.min(width, x + (this.#places[4 * i + 2] ?? 0));
      const bottom = Math.min(height, y + (this.#places[4 * i + 3] ?? 0));
      const word = words[this.#steps[i] ?? 0] ?? 0;
      for (let row = Math.max(0, y); row < bottom; row++) {
        for (let at = row * width + Math.max(0, x); at < row * width + end; at++) pixels[at] = word;
      }
    }
    context.putImageData(image, 0, 0);
  }

  #grow(): void {
    const [places, steps] = [new Int32Array(2 * this.#places.length), new Uint8Array(2 * this.#steps.length)];
    places.set(this.#places);
    steps.set(this.#steps);
    [this.#places, this.#steps] = [places, steps];
  }
}
