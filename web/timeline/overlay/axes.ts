/** Draws the axes into a pane's SVG; scales and round numbers come from d3. */
import { scaleLinear } from 'd3-scale';
import { GUTTER, type PlotFrame } from '../frame/plotFrame';
import type { SceneTheme } from '../frame/theme';
import type { Timescale } from '../frame/timescale';
import type { TimeTick } from './ticks';

/** Half the width of a label such as `+400 ms`, in CSS pixels. */
const HALF_LABEL = 26;

/** The time axis above the plot; `base`: what labels with a `+` count from. */
export function drawTimeAxis(
  frame: PlotFrame,
  scale: Timescale,
  ticks: readonly TimeTick[],
  base: string | null,
  theme: SceneTheme,
): void {
  const position = scaleLinear([scale.window.start, scale.window.end], [0, frame.width]);
  const group = layer(frame, 'time-axis', `translate(${GUTTER},${frame.axisHeight})`, theme);
  set(group, { 'text-anchor': 'middle' });
  const marks = ticks.map(({ at, label, major }) => ({
    transform: `translate(${position(at) + half()},0)`,
    // The base stands left of the plot, where the first label would reach.
    text: base !== null && position(at) < HALF_LABEL ? '' : label,
    weight: major && base !== null ? '600' : '400',
  }));
  drawDomain(group, `M${half()},${half()}H${frame.width + half()}`, theme);
  drawTicks(group, marks, { line: { y2: -5 }, label: { y: -8, dy: '0em' } }, theme);
  const [text] = children(frame.axis, 'text', 'time-base', base === null ? 0 : 1);
  if (text === undefined) return;
  set(text, {
    x: GUTTER - 8,
    y: frame.axisHeight - 9,
    'text-anchor': 'end',
    'font-size': 11,
    fill: theme.quiet,
  });
  text.textContent = base;
}

/** The count axis left of the plot: 0 is `height` CSS pixels below the plot's top, where `top` is. */
export function drawCountAxis(frame: PlotFrame, height: number, top: number, theme: SceneTheme): void {
  const position = scaleLinear([0, top], [height, 0]);
  const count = Math.max(2, Math.min(6, Math.floor(height / 28)));
  // A label at the very top would be cut off.
  const values = position.ticks(count).filter((value) => Number.isInteger(value) && position(value) >= 6);
  const group = layer(frame, 'count-axis', `translate(${GUTTER - 0.5},${frame.axisHeight})`, theme);
  set(group, { 'text-anchor': 'end' });
  const marks = values.map((value) => ({
    transform: `translate(0,${position(value) + half()})`,
    text: String(value),
    weight: '',
  }));
  drawDomain(group, `M${half()},${height + half()}V${half()}`, theme);
  drawTicks(group, marks, { line: { x2: -4 }, label: { x: -8, dy: '0.32em' } }, theme);
}

/** A stretch of the dotted line, `y` CSS pixels below the plot's top. */
export interface LineStep {
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
}

/** The dotted line at the number of CPUs that are known; the text stands above its right end. */
export function drawCpuLine(frame: PlotFrame, steps: readonly LineStep[], text: string, theme: SceneTheme): void {
  const group = layer(frame, 'cpu-line', `translate(${GUTTER},${frame.axisHeight})`, null);
  const path = steps.map(({ x0, x1, y }, index) => `${index === 0 ? 'M' : 'L'}${x0} ${crisp(y)}H${x1}`).join('');
  const label = child(group, 'text');
  set(child(group, 'path'), {
    d: path,
    fill: 'none',
    stroke: theme.cpuLine,
    'stroke-width': 1.25,
    'stroke-dasharray': '1.5 3.5',
    'stroke-linecap': 'round',
  });
  const y = steps.at(-1)?.y ?? 0;
  set(label, {
    x: frame.width - 6,
    y: y < 16 ? y + 13 : y - 5,
    'text-anchor': 'end',
    'font-size': 11,
    fill: theme.cpuLine,
    stroke: theme.background,
    'stroke-width': 3,
    'paint-order': 'stroke',
  });
  label.textContent = text;
}

const crisp = (y: number): number => Math.round(y) + 0.5;

/** Offset that puts lines of one CSS pixel onto the middle of device pixels. */
const half = (): number => (window.devicePixelRatio > 1 ? 0 : 0.5);

interface TickMark {
  readonly transform: string;
  readonly text: string;
  /** The font's weight; empty: inherited. */
  readonly weight: string;
}

type Attributes = Readonly<Record<string, string | number>>;

function drawTicks(
  group: SVGElement,
  marks: readonly TickMark[],
  { line, label }: { readonly line: Attributes; readonly label: Attributes },
  theme: SceneTheme,
): void {
  for (const [i, tick] of children(group, 'g', 'tick', marks.length).entries()) {
    const mark = marks[i];
    if (mark === undefined) continue;
    const text = child(tick, 'text');
    set(tick, { transform: mark.transform });
    set(child(tick, 'line'), { ...line, stroke: theme.quiet, 'stroke-opacity': 0.6 });
    set(text, { ...label, fill: theme.quiet });
    text.style.fontWeight = mark.weight;
    if (text.textContent !== mark.text) text.textContent = mark.text;
  }
}

/** The axis line; drawn first, so that ticks are above it. */
function drawDomain(group: SVGElement, d: string, theme: SceneTheme): void {
  set(child(group, 'path', 'domain'), { d, stroke: theme.quiet, 'stroke-opacity': 0.35 });
}

/** A named group of the pane's SVG, created when it is first asked for; `theme`: for an axis with texts. */
function layer(frame: PlotFrame, name: string, transform: string, theme: SceneTheme | null): SVGElement {
  const group = child(frame.axis, 'g', name);
  set(group, { transform });
  if (theme !== null) {
    set(group, { fill: 'none', 'font-family': 'inherit', 'font-size': 11 });
    group.style.fontVariantNumeric = 'tabular-nums';
  }
  return group;
}

type Name = 'g' | 'line' | 'path' | 'text';

/** The first child with a name and class; created if there is none. */
function child(parent: SVGElement, name: Name, className = ''): SVGElement {
  return existing(parent, name, className)[0] ?? append(parent, name, className);
}

/** `count` children with a name and class: adds missing ones and removes the rest. */
function children(parent: SVGElement, name: Name, className: string, count: number): SVGElement[] {
  const there = existing(parent, name, className);
  for (const spare of there.splice(count)) spare.remove();
  while (there.length < count) there.push(append(parent, name, className));
  return there;
}

const existing = (parent: SVGElement, name: Name, className: string): SVGElement[] =>
  [...parent.children].filter(
    (element): element is SVGElement =>
      element instanceof SVGElement && element.tagName === name && (element.getAttribute('class') ?? '') === className,
  );

function append(parent: SVGElement, name: Name, className: string): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  if (className !== '') element.setAttribute('class', className);
  parent.append(element);
  return element;
}

function set(element: SVGElement, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, `${value}`);
}
