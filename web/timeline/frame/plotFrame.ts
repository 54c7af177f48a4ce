/**
 * The elements of a pane: a canvas for the data, one above it for texts, axes and outlines, elements that follow the pointer (so
 * that a mouse move repaints no canvas), and a message for when nothing can be drawn.
 *
 *     +--------+----------------------------+
 *     | corner | axis                       |  axisHeight
 *     +--------+----------------------------+
 *     | gutter | plot                       |
 *     +--------+----------------------------+
 */
import { type CssPx, cssPx, type DevPx, devPx } from '../../base/units';
import { Chip, Crosshair, Outline } from './followers';
import { watchPixelRatio } from './pixelRatio';

/** The message of a pane that cannot draw at the moment. */
export const LOST =
  'The browser lost its graphics context, so nothing can be drawn for the moment. Empty does not mean idle.';

/** Width of the gutter; the same in every pane, so that their time axes agree. */
export const GUTTER = cssPx(64);

/** One font for everything on the canvases; digits of equal width. */
const CANVAS_FONT = "11px 'Inter', 'Segoe UI', system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif";

export const plotFont = (strong = false): string => (strong ? `600 ${CANVAS_FONT}` : CANVAS_FONT);

export class PlotFrame {
  readonly element: HTMLElement;
  readonly axisHeight: CssPx;
  /** A canvas for what is hovered: above the data, of the same size, hidden until it is painted. */
  readonly emphasis: HTMLCanvasElement;
  readonly overlay: HTMLCanvasElement;
  readonly crosshair: Crosshair;
  readonly outline = new Outline(GUTTER - 1);
  readonly chip = new Chip(plotFont());
  readonly #observer: ResizeObserver;
  readonly #unwatchRatio: () => void;
  readonly #veil: HTMLElement;
  #canvas: HTMLCanvasElement;
  #width = cssPx(0);
  #height = cssPx(0);

  /** `resized`: the plot's size or the pixel ratio changed. */
  constructor(element: HTMLElement, axisHeight: CssPx, resized: () => void) {
    this.element = element;
    this.axisHeight = axisHeight;
    Object.assign(element.style, { overflow: 'hidden', touchAction: 'none', userSelect: 'none' });
    if (getComputedStyle(element).position === 'static') element.style.position = 'relative';
    this.#canvas = document.createElement('canvas');
    this.emphasis = document.createElement('canvas');
    this.overlay = document.createElement('canvas');
    this.crosshair = new Crosshair(axisHeight);
    this.#veil = document.createElement('div');
    this.#placeData(this.#canvas);
    this.#placeData(this.emphasis);
    this.emphasis.style.opacity = '0';
    place(this.overlay, { left: '0', top: '0' });
    // Screen readers get what is drawn as text elsewhere: from the panes' tables, details and live texts.
    for (const part of this.#parts()) {
      part.setAttribute('aria-hidden', 'true');
      element.append(part);
    }
    place(this.#veil, { left: `${GUTTER}px`, top: `${axisHeight}px`, right: '0', bottom: '0' });
    this.#veil.className = 'scene-veil';
    // Screen readers read texts that appear in it; while it has none, it is invisible.
    this.#veil.role = 'status';
    element.append(this.#veil);
    this.#observer = new ResizeObserver(() => {
      this.#measure();
      resized();
    });
    this.#observer.observe(element);
    // On another screen the size may be the same in CSS pixels, which is what the observer knows.
    this.#unwatchRatio = watchPixelRatio(resized);
    this.#measure();
  }

  /** The canvas for the data. */
  get canvas(): HTMLCanvasElement {
    return this.#canvas;
  }

  /** The width of the plot. */
  get width(): CssPx {
    return this.#width;
  }

  /** The height of the plot. */
  get height(): CssPx {
    return this.#height;
  }

  get pixelRatio(): number {
    return window.devicePixelRatio || 1;
  }

  get deviceWidth(): DevPx {
    return devPx(Math.max(1, Math.round(this.#width * this.pixelRatio)));
  }

  /**
   * Rows of the data canvas for each CSS pixel. Columns are time and stay exact. A software renderer, whose cost grows
   * with every pixel, need not draw rows finer than CSS pixels.
   */
  rowRatio(software: boolean): number {
    return software ? Math.min(1, this.pixelRatio) : this.pixelRatio;
  }

  /** The overlay's context, cleared, in CSS pixels; its origin is the corner of the pane. */
  clearOverlay(): CanvasRenderingContext2D | null {
    const context = this.overlay.getContext('2d');
    if (context === null) return null;
    const ratio = this.pixelRatio;
    const width = Math.round((GUTTER + this.#width) * ratio);
    const height = Math.round((this.axisHeight + this.#height) * ratio);
    if (this.overlay.width !== width || this.overlay.height !== height) {
      this.overlay.width = width;
      this.overlay.height = height;
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = plotFont();
    return context;
  }

  /** Replaces the data's canvas with an empty one. */
  renewCanvas(): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    canvas.setAttribute('aria-hidden', 'true');
    this.#placeData(canvas);
    this.#canvas.replaceWith(canvas);
    this.#canvas = canvas;
    this.#measure();
    return canvas;
  }

  /** Covers the plot when it shows nothing valid, and says why; null uncovers it. */
  veil(why: string | null): void {
    const text = document.createElement('span');
    text.textContent = why;
    this.#veil.replaceChildren(...(why === null ? [] : [text]));
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#unwatchRatio();
    for (const part of this.#parts()) part.remove();
    this.#veil.remove();
  }

  #parts(): readonly Element[] {
    const followers = [this.crosshair, this.outline, this.chip].map(({ element }) => element);
    return [this.#canvas, this.emphasis, this.overlay, ...followers];
  }

  #placeData(canvas: HTMLCanvasElement): void {
    place(canvas, { left: `${GUTTER}px`, top: `${this.axisHeight}px` });
  }

  #measure(): void {
    this.#width = cssPx(Math.max(0, this.element.clientWidth - GUTTER));
    this.#height = cssPx(Math.max(0, this.element.clientHeight - this.axisHeight));
    for (const canvas of [this.#canvas, this.emphasis]) {
      canvas.style.width = `${this.#width}px`;
      canvas.style.height = `${this.#height}px`;
    }
    this.overlay.style.width = `${GUTTER + this.#width}px`;
    this.overlay.style.height = `${this.axisHeight + this.#height}px`;
  }
}

function place(element: HTMLElement, style: Partial<CSSStyleDeclaration>): void {
  Object.assign(element.style, { position: 'absolute', pointerEvents: 'none', ...style });
}
