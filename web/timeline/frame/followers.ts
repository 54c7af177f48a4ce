/**
 * Elements that follow the pointer over a pane. Each is a layer of its own, which the browser's compositor moves, stretches and
 * hides: `visibility`, `width` or `height` would have the page laid out or painted anew for each mouse move.
 */
import type { SceneTheme } from './theme';

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

/** A line across the pane at the hovered instant. */
export class Crosshair extends Follower {
  constructor(top: number) {
    super({ top: `${top}px`, bottom: '0', width: '1px', willChange: 'transform' });
  }

  /** `x`: CSS pixels from the pane's left edge; null: the instant is elsewhere. */
  place(x: number | null, theme: SceneTheme): void {
    if (x !== null) this.element.style.transform = `translateX(${x}px)`;
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

/** A frame around what is hovered: four edges, each a pixel that is stretched. */
export class Outline extends Follower {
  readonly #edges = Array.from({ length: 4 }, () => document.createElement('div'));

  constructor() {
    super({});
    for (const edge of this.#edges) {
      const pixel = {
        position: 'absolute',
        width: '1px',
        height: '1px',
        transformOrigin: '0 0',
        willChange: 'transform',
      };
      Object.assign(edge.style, pixel);
      this.element.append(edge);
    }
  }

  /** null: nothing is outlined. */
  place(box: Box | null, theme: SceneTheme): void {
    if (box !== null) {
      const ratio = devicePixelRatio || 1;
      const line = Math.max(1, Math.floor(1.5 * ratio)) / ratio;
      const [left, top, width, height] = [box.left, box.top, box.width, box.height].map(
        (length) => Math.round(length * ratio) / ratio,
      ) as [number, number, number, number];
      const [upper, lower, before, after] = this.#edges;
      stretch(upper, left, top, width, line);
      stretch(lower, left, top + height - line, width, line);
      stretch(before, left, top, line, height);
      stretch(after, left + width - line, top, line, height);
    }
    this.show(box !== null, theme);
  }

  protected override paint(theme: SceneTheme): void {
    for (const edge of this.#edges) edge.style.background = theme.ink;
  }
}

function stretch(edge: HTMLElement | undefined, left: number, top: number, width: number, height: number): void {
  if (edge) edge.style.transform = `translate(${left}px, ${top}px) scale(${width}, ${height})`;
}

/** Height of a chip with its padding, in CSS pixels. */
export const CHIP_HEIGHT = 18;

/** A text beside the pointer. */
export class Chip extends Follower {
  constructor() {
    super({
      willChange: 'transform',
      whiteSpace: 'nowrap',
      padding: '1px 6px',
      borderRadius: '3px',
      fontSize: '11px',
      lineHeight: `${CHIP_HEIGHT - 2}px`,
      fontVariantNumeric: 'tabular-nums',
      // The chip at the pointer goes before the marks.
      zIndex: '1',
    });
  }

  /** null: the chip is hidden. */
  say(text: string | null, theme: SceneTheme): void {
    if (text !== null && this.element.textContent !== text) this.element.textContent = text;
    this.show(text !== null, theme);
  }

  /** `left`: as CSS. Percentages refer to the chip's own width: the browser knows it without another layout. */
  place(left: string, top: number): void {
    this.element.style.transform = `translate(${left}, ${top}px)`;
  }

  protected override paint({ ink, background }: SceneTheme): void {
    Object.assign(this.element.style, { background: ink, color: background });
  }
}
