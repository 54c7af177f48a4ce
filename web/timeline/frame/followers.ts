/**
 * Elements that follow the pointer over a pane. Each is a layer of its own, which the browser's compositor moves, stretches and
 * hides: `visibility`, `width` or `height` would have the page laid out or painted anew for each mouse move.
 */
import { setText } from '../../base/setText';
import type { SceneTheme } from './theme';

/** Farther than anything is moved, in CSS pixels; a power of two, so that places on the way are exact. */
const FAR = 1 << 14;

/**
 * A number of an element's transform: the clock of an animation that does not run by itself. For an element that a style moves,
 * Chromium would look through all layers of the page for one that it covers now, and make the pictures of other canvases anew.
 */
class Dial {
  readonly #animation: Animation;

  /** Functions of one element apply in the order in which they are made. */
  constructor(element: HTMLElement, of: 'translateX' | 'translateY' | 'scaleX' | 'scaleY') {
    const unit = of.startsWith('translate') ? 'px' : '';
    const ends = { transform: [`${of}(${-FAR}${unit})`, `${of}(${FAR}${unit})`] };
    this.#animation = element.animate(ends, { duration: 2 * FAR, fill: 'both', composite: 'add' });
    this.#animation.pause();
    // It is no animation to whoever ends those of a page to take a picture of it.
    this.#animation.playbackRate = 0;
    this.set(0);
  }

  set(value: number): void {
    this.#animation.currentTime = FAR + value;
  }
}

/** Hidden at first; by its opacity, since then it is no layer at all. */
class Follower {
  readonly element = document.createElement('div');
  #isShown = false;
  #theme: SceneTheme | null = null;

  constructor(style: Partial<CSSStyleDeclaration>) {
    const hidden = { position: 'absolute', left: '0', top: '0', pointerEvents: 'none', opacity: '0' };
    Object.assign(this.element.style, hidden, style);
  }

  /** Styles that stay are not even compared by the browser. */
  protected show(isShown: boolean, theme: SceneTheme): void {
    if (isShown !== this.#isShown) this.element.style.opacity = isShown ? '1' : '0';
    this.#isShown = isShown;
    if (isShown && theme !== this.#theme) {
      this.#theme = theme;
      this.paint(theme);
    }
  }

  /** Takes the colours of a theme. */
  protected paint(_theme: SceneTheme): void {}
}

/** In whole device pixels, where lines are sharp. */
function toDevicePixel(length: number): number {
  const ratio = devicePixelRatio || 1;
  return Math.round(length * ratio) / ratio;
}

/** A line across the pane at the hovered instant. */
export class Crosshair extends Follower {
  readonly #x = new Dial(this.element, 'translateX');

  constructor(top: number) {
    super({ top: `${top}px`, bottom: '0', width: '1px' });
  }

  /** `x`: CSS pixels from the pane's left edge; null: the instant is elsewhere. */
  place(x: number | null, theme: SceneTheme): void {
    if (x !== null) this.#x.set(toDevicePixel(x));
    this.show(x !== null, theme);
  }

  protected override paint(theme: SceneTheme): void {
    this.element.style.background = theme.crosshair;
  }
}

/** In CSS pixels from the pane's corner. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A pixel that is stretched. */
class Edge {
  readonly element = document.createElement('div');
  readonly #x: Dial;
  readonly #y: Dial;
  readonly #width: Dial;
  readonly #height: Dial;

  constructor() {
    const pixel = { position: 'absolute', width: '1px', height: '1px', transformOrigin: '0 0' };
    Object.assign(this.element.style, pixel);
    this.#x = new Dial(this.element, 'translateX');
    this.#y = new Dial(this.element, 'translateY');
    this.#width = new Dial(this.element, 'scaleX');
    this.#height = new Dial(this.element, 'scaleY');
  }

  stretch(left: number, top: number, width: number, height: number): void {
    this.#x.set(left);
    this.#y.set(top);
    this.#width.set(width);
    this.#height.set(height);
  }
}

/** A frame around what is hovered. */
export class Outline extends Follower {
  readonly #from: number;
  readonly #upper = new Edge();
  readonly #lower = new Edge();
  readonly #before = new Edge();
  readonly #after = new Edge();
  readonly #edges = [this.#upper, this.#lower, this.#before, this.#after];

  /** `from`: nothing of it is left of here, in CSS pixels from the pane's corner. */
  constructor(from: number) {
    super({ left: `${from}px`, right: '0', bottom: '0', overflow: 'clip' });
    this.#from = from;
    for (const { element } of this.#edges) this.element.append(element);
  }

  /** null: nothing is outlined. */
  place(box: Box | null, theme: SceneTheme): void {
    if (box !== null) {
      const line = Math.max(1, Math.floor(1.5 * devicePixelRatio)) / devicePixelRatio;
      const [left, top] = [toDevicePixel(box.left - this.#from), toDevicePixel(box.top)];
      const [width, height] = [toDevicePixel(box.width), toDevicePixel(box.height)];
      this.#upper.stretch(left, top, width, line);
      this.#lower.stretch(left, top + height - line, width, line);
      this.#before.stretch(left, top, line, height);
      this.#after.stretch(left + width - line, top, line, height);
    }
    this.show(box !== null, theme);
  }

  protected override paint(theme: SceneTheme): void {
    for (const { element } of this.#edges) element.style.background = theme.ink;
  }
}

/** Height of a chip with its padding, in CSS pixels. */
export const CHIP_HEIGHT = 18;

/** CSS pixels between a chip's text and its edges. */
const CHIP_PADDING = 6;
/** How much shorter a text may become before the chip does: with another width, all layers are looked through. */
const CHIP_SLACK = 40;

/** A text beside the pointer. */
export class Chip extends Follower {
  readonly #x = new Dial(this.element, 'translateX');
  readonly #y = new Dial(this.element, 'translateY');
  readonly #ruler = document.createElement('canvas').getContext('2d');
  readonly #font: string;
  #text = '';
  #width = 0;

  constructor(font: string) {
    super({
      whiteSpace: 'nowrap',
      boxSizing: 'border-box',
      padding: `1px ${CHIP_PADDING}px`,
      textAlign: 'center',
      borderRadius: '3px',
      font,
      lineHeight: `${CHIP_HEIGHT - 2}px`,
      fontVariantNumeric: 'tabular-nums',
      // The chip at the pointer goes before the marks.
      zIndex: '1',
    });
    this.#font = font;
  }

  /** In CSS pixels. */
  get width(): number {
    return this.#width;
  }

  /** null: the chip is hidden. */
  say(text: string | null, theme: SceneTheme): void {
    if (text !== null) {
      if (!isAsWide(text, this.#text)) this.#measure(text);
      this.#text = text;
      setText(this.element, text);
    }
    this.show(text !== null, theme);
  }

  place(left: number, top: number): void {
    this.#x.set(toDevicePixel(left));
    this.#y.set(toDevicePixel(top));
  }

  protected override paint({ ink, background }: SceneTheme): void {
    Object.assign(this.element.style, { background: ink, color: background });
  }

  /** Measures the text on a canvas: to ask the element would force a layout. */
  #measure(text: string): void {
    if (this.#ruler === null) return;
    this.#ruler.font = this.#font;
    const { width } = this.#ruler.measureText(text.replace(/\d/g, '0'));
    const needed = Math.ceil(width) + 2 * CHIP_PADDING;
    if (this.#width - CHIP_SLACK <= needed && needed <= this.#width) return;
    this.#width = needed;
    this.element.style.width = `${needed}px`;
  }
}

/** Whether two texts have the same characters, and any digits in the same places: digits are equally wide. */
function isAsWide(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    const one = a.charCodeAt(i);
    const other = b.charCodeAt(i);
    if (one !== other && !(isDigit(one) && isDigit(other))) return false;
  }
  return true;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
