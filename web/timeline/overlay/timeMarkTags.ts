/** The letters of the marks A and B above the time axis, which can be dragged, and the marks' distance. */
import { TIME_MARKS, type TimeMarkName } from '../../state/marks';
import { GUTTER } from '../frame/plotFrame';
import type { SceneTheme } from '../frame/theme';
import { type PlacedTimeMark, type PlacedTimeMarks, TAG_WIDTH, TEXT_PADDING } from './timeMarks';

/** Height of a tag in CSS pixels. */
const HEIGHT = 15;
const TOP = 1;

/** How far a press may move without being a drag. */
const SLOP = 2;

/** Moves a mark to the pointer, in CSS pixels of the plot; `done`: the drag has ended. */
type Drag = (name: TimeMarkName, x: number, done: boolean) => void;

export class TimeMarkTags {
  readonly #tags: Readonly<Record<TimeMarkName, HTMLElement>>;
  readonly #distance: HTMLElement;
  readonly #line: HTMLElement;

  #placed: readonly PlacedTimeMark[] = [];
  /** Where the mark was when it was gripped. */
  #grip = 0;

  constructor(element: HTMLElement, drag: Drag) {
    this.#line = part({ top: `${TOP + HEIGHT / 2}px`, height: '1px' });
    this.#distance = part({ top: `${TOP}px`, padding: `0 ${TEXT_PADDING}px`, fontVariantNumeric: 'tabular-nums' });
    const tag = (name: TimeMarkName): HTMLElement => {
      const made = part({ top: `${TOP}px`, width: `${TAG_WIDTH}px`, textAlign: 'center', fontWeight: '600' });
      Object.assign(made.style, { pointerEvents: 'auto', cursor: 'ew-resize', touchAction: 'none' });
      made.textContent = name.toUpperCase();
      made.title = `Mark ${name.toUpperCase()}: drag it`;
      this.#listen(made, name, drag);
      return made;
    };
    this.#tags = { a: tag('a'), b: tag('b') };
    for (const each of this.#parts()) element.append(each);
  }

  show({ marks, distance }: PlacedTimeMarks, theme: SceneTheme): void {
    this.#placed = marks;
    for (const name of TIME_MARKS) {
      const mark = marks.find((placed) => placed.name === name);
      const tag = this.#tags[name];
      tag.style.visibility = mark ? 'visible' : 'hidden';
      if (mark) tag.style.transform = `translateX(${GUTTER + Math.round(mark.left)}px)`;
      Object.assign(tag.style, { background: theme.timeMark, color: theme.onTimeMark });
    }
    this.#distance.style.visibility = distance ? 'visible' : 'hidden';
    this.#line.style.visibility = distance ? 'visible' : 'hidden';
    if (distance === null) return;
    this.#distance.textContent = distance.text;
    this.#distance.style.transform = `translateX(${GUTTER + Math.round(distance.left)}px)`;
    Object.assign(this.#distance.style, { background: theme.background, color: theme.timeMark });
    this.#line.style.transform = `translateX(${GUTTER + distance.from}px)`;
    Object.assign(this.#line.style, { width: `${distance.to - distance.from}px`, background: theme.timeMark });
  }

  dispose(): void {
    for (const each of this.#parts()) each.remove();
  }

  #parts(): readonly HTMLElement[] {
    return [this.#line, this.#distance, this.#tags.a, this.#tags.b];
  }

  #listen(tag: HTMLElement, name: TimeMarkName, drag: Drag): void {
    let pressed: number | null = null;
    let moved = false;
    const follow = (event: PointerEvent, done: boolean): void => {
      if (pressed === null) return;
      const by = event.clientX - pressed;
      moved ||= Math.abs(by) >= SLOP;
      if (moved) drag(name, this.#grip + by, done);
    };
    tag.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      // The plot must not pan meanwhile.
      event.stopPropagation();
      tag.setPointerCapture(event.pointerId);
      // The tag is beside its line: the line moves by as much as the pointer does.
      this.#grip = this.#placed.find((placed) => placed.name === name)?.x ?? 0;
      [pressed, moved] = [event.clientX, false];
    });
    tag.addEventListener('pointermove', (event) => follow(event, false));
    tag.addEventListener('pointerup', (event) => {
      follow(event, true);
      pressed = null;
    });
    tag.addEventListener('pointercancel', () => {
      pressed = null;
    });
  }
}

function part(style: Partial<CSSStyleDeclaration>): HTMLElement {
  const element = document.createElement('div');
  // The status bar has it as text.
  element.setAttribute('aria-hidden', 'true');
  Object.assign(element.style, {
    position: 'absolute',
    left: '0',
    visibility: 'hidden',
    pointerEvents: 'none',
    borderRadius: '3px',
    fontSize: '11px',
    lineHeight: `${HEIGHT}px`,
    whiteSpace: 'nowrap',
    ...style,
  });
  return element;
}
