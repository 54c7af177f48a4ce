/** The axes: d3-axis into a pane's SVG. */
import { axisLeft, axisTop } from 'd3-axis';
import { scaleLinear } from 'd3-scale';
import { select } from 'd3-selection';
import { GUTTER, type PlotFrame } from '../frame/plotFrame';
import type { SceneTheme } from '../frame/theme';
import type { Timescale } from '../frame/timescale';
import type { TimeTick } from './ticks';

/** CSS pixels: half of a label such as `+400 ms`. */
const HALF_LABEL = 26;

/** The time axis above the plot; `base` is what labels with a `+` count from. */
export function drawTimeAxis(
  frame: PlotFrame,
  scale: Timescale,
  ticks: readonly TimeTick[],
  base: string | null,
  theme: SceneTheme,
): void {
  const position = scaleLinear([scale.window.start, scale.window.end], [0, frame.width]);
  const byTime = new Map(ticks.map((tick) => [tick.at as number, tick]));
  const axis = axisTop<number>(position)
    .tickValues(ticks.map(({ at }) => at))
    // The base stands left of the plot, where half of the first label would be.
    .tickFormat((at) => (base !== null && position(at) < HALF_LABEL ? '' : (byTime.get(at)?.label ?? '')))
    .tickSizeInner(5)
    .tickSizeOuter(0)
    .tickPadding(3);
  const group = layer(frame, 'time-axis', `translate(${GUTTER},${frame.axisHeight})`).call(axis as never);
  style(group, theme);
  group.selectAll<SVGTextElement, number>('.tick text').style('font-weight', (at) => {
    const tick = byTime.get(at);
    return tick?.major && base !== null ? '600' : '400';
  });
  select(frame.axis)
    .selectAll('text.time-base')
    .data(base === null ? [] : [base])
    .join('text')
    .attr('class', 'time-base')
    .attr('x', GUTTER - 8)
    .attr('y', frame.axisHeight - 9)
    .attr('text-anchor', 'end')
    .attr('font-size', 11)
    .attr('fill', theme.quiet)
    .text((text) => text);
}

/** The count axis left of the plot: 0 is `height` CSS pixels below its top, `top` at it. */
export function drawCountAxis(frame: PlotFrame, height: number, top: number, theme: SceneTheme): void {
  const position = scaleLinear([0, top], [height, 0]);
  const count = Math.max(2, Math.min(6, Math.floor(height / 28)));
  const axis = axisLeft<number>(position)
    // A label at the very top would be cut off.
    .tickValues(position.ticks(count).filter((value) => Number.isInteger(value) && position(value) >= 6))
    .tickFormat((value) => String(value))
    .tickSizeInner(4)
    .tickSizeOuter(0)
    .tickPadding(4);
  const group = layer(frame, 'count-axis', `translate(${GUTTER - 0.5},${frame.axisHeight})`).call(axis as never);
  style(group, theme);
}

/** A stretch of the dotted line, `y` CSS pixels below the plot's top. */
export interface LineStep {
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
}

/** The dotted line at the number of CPUs that are known; the text stands above its right end. */
export function drawCpuLine(frame: PlotFrame, steps: readonly LineStep[], text: string, theme: SceneTheme): void {
  const group = layer(frame, 'cpu-line', `translate(${GUTTER},${frame.axisHeight})`);
  const path = steps.map(({ x0, x1, y }, index) => `${index === 0 ? 'M' : 'L'}${x0} ${crisp(y)}H${x1}`).join('');
  group
    .selectAll('path')
    .data([path])
    .join('path')
    .attr('d', (value) => value)
    .attr('fill', 'none')
    .attr('stroke', theme.cpuLine)
    .attr('stroke-width', 1.25)
    .attr('stroke-dasharray', '1.5 3.5')
    .attr('stroke-linecap', 'round');
  const y = steps.at(-1)?.y ?? 0;
  group
    .selectAll('text')
    .data([text])
    .join('text')
    .attr('x', frame.width - 6)
    .attr('y', y < 16 ? y + 13 : y - 5)
    .attr('text-anchor', 'end')
    .attr('font-size', 11)
    .attr('fill', theme.cpuLine)
    .attr('stroke', theme.background)
    .attr('stroke-width', 3)
    .attr('paint-order', 'stroke')
    .text((value) => value);
}

const crisp = (y: number): number => Math.round(y) + 0.5;

function layer(frame: PlotFrame, name: string, transform: string) {
  return select(frame.axis)
    .selectAll<SVGGElement, string>(`g.${name}`)
    .data([name])
    .join('g')
    .attr('class', name)
    .attr('transform', transform);
}

function style(group: ReturnType<typeof layer>, theme: SceneTheme): void {
  group.attr('font-family', 'inherit').attr('font-size', 11).style('font-variant-numeric', 'tabular-nums');
  group.selectAll('text').attr('fill', theme.quiet);
  group.selectAll('line').attr('stroke', theme.quiet).attr('stroke-opacity', 0.6);
  group.select('.domain').attr('stroke', theme.quiet).attr('stroke-opacity', 0.35);
}
