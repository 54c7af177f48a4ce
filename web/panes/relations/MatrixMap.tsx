import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
} from 'react';
import { formatCount, formatDuration } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import { useObservable } from '../../components/useObservable';
import { useWidth } from '../../components/useWidth';
import type { Matrix } from '../../engine/protocol';
import type { goToRelated } from '../../page/relations/goToRelated';
import { type MergedCell, type MergedMatrix, merged } from '../../page/relations/merged';
import { endText, strength } from '../../page/relations/words';
import { usePage } from '../context';

interface MatrixMapProps {
  readonly matrix: Matrix;
  /** What colours cells. */
  readonly measure: 'count' | 'ns';
  readonly clock: TraceClock;
  readonly onPick: (pair: Parameters<typeof goToRelated>[1]) => void;
}

/** In CSS pixels. */
const BESIDE_NAME = 8;
const MAX_CELL = 22;
/** The most room for a name: a command and a short PID. Of longer ones, the rest is in the tooltip. */
const MOST_NAME = 120;
/** The angle of the columns' names, as in the CSS. */
const SLANT = Math.PI / 3;
/** The least width of a cell at which the pointer can find it. */
const LEAST_CELL = 3;
/** The least height of a cell in which a name has room. */
const NAMED_CELL = 11;
const HINT = 'Point at a cell, or use the arrow keys; a click or Enter goes to its longest.';

/** A heat map: rows are related to columns. The pointer moves without rendering anything in React. */
export function MatrixMap({ matrix, measure, clock, onPick }: MatrixMapProps): ReactNode {
  const { theme } = usePage();
  const shade = useObservable(theme);
  const [box, width] = useWidth<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const words = useRef<HTMLParagraphElement>(null);
  const at = useRef<readonly [row: number, column: number] | null>(null);
  const [rowName, columnName] = useMemo(() => [roomFor(matrix.from), roomFor(matrix.to)], [matrix]);
  const left = rowName + BESIDE_NAME;
  const top = Math.ceil(columnName * Math.sin(SLANT)) + BESIDE_NAME;
  // The last column's name leans over what is right of the cells.
  const room = Math.max(1, width - left - Math.ceil(columnName * Math.cos(SLANT)));
  // What has no room for each CPU is an overview: several are one.
  const block = Math.max(1, Math.ceil((LEAST_CELL * matrix.to.length) / room));
  const shown = useMemo(() => merged(matrix, block), [matrix, block]);
  const { from, to, cells } = shown;
  const byPlace = useMemo(() => new Map(cells.map((one) => [one.from * to.length + one.to, one])), [cells, to]);
  const isMerged = from.length < matrix.from.length || to.length < matrix.to.length;
  const hint = isMerged ? `${HINT} Up to ${block} CPUs are one line; where the pane is wider, fewer are.` : HINT;
  const cell = Math.min(MAX_CELL, Math.max(1, Math.floor(room / Math.max(1, to.length))));
  const size = { width: cell * to.length, height: cell * from.length };
  // Where cells are small, some are named.
  const every = Math.ceil(NAMED_CELL / cell);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours.
  useEffect(() => {
    const element = canvas.current;
    if (!element || width === 0) return;
    paint(element, { matrix: shown, measure, cell });
    at.current = null;
    if (frame.current) frame.current.hidden = true;
  }, [shown, measure, cell, width, shade]);

  const cellAt = (place: readonly [number, number] | null): MergedCell | undefined =>
    place ? byPlace.get(place[0] * to.length + place[1]) : undefined;
  const show = (place: readonly [number, number] | null): void => {
    at.current = place;
    if (frame.current) {
      frame.current.hidden = place === null;
      if (place) {
        frame.current.style.transform = `translate(${place[1] * cell}px,${place[0] * cell}px)`;
      }
    }
    if (words.current) words.current.textContent = place ? inWords(shown, place, cellAt(place), clock) : hint;
  };
  const point = (event: PointerEvent): void => {
    const column = Math.floor(event.nativeEvent.offsetX / cell);
    const row = Math.floor(event.nativeEvent.offsetY / cell);
    const isInside = row >= 0 && column >= 0 && row < from.length && column < to.length;
    if (isInside && at.current?.[0] === row && at.current[1] === column) return;
    show(isInside ? [row, column] : null);
  };
  const pick = (): void => {
    const longest = cellAt(at.current)?.longest;
    const [row, column] = [longest && matrix.from[longest.from], longest && matrix.to[longest.to]];
    if (longest && row && column) onPick({ from: row.end, to: column.end, run: longest.run });
  };
  const press = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step) {
      const [row, column] = at.current ?? [0, -step[1]];
      const clamp = (value: number, size: number): number => Math.min(Math.max(value, 0), size - 1);
      show([clamp(row + step[0], from.length), clamp(column + step[1], to.length)]);
    } else if (event.key === 'Enter' || event.key === ' ') {
      pick();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={box} className="matrix-map">
      <div className="matrix" style={{ height: top + size.height }}>
        {from.map(({ name }, row) =>
          row % every !== 0 ? null : (
            // biome-ignore lint/suspicious/noArrayIndexKey: two tasks may have the same name.
            <Name key={row} of="row" name={name} style={{ top: top + (row + 0.5) * cell, width: rowName }} />
          ),
        )}
        {to.map(({ name }, column) =>
          column % every !== 0 ? null : (
            <Name
              // biome-ignore lint/suspicious/noArrayIndexKey: two tasks may have the same name.
              key={column}
              of="column"
              name={name}
              style={{ top: top - 5, left: left + (column + 0.5) * cell, maxWidth: columnName }}
            />
          ),
        )}
        <div
          className="matrix-box"
          style={{ left, top, ...size }}
          role="application"
          aria-label="Matrix: arrow keys move between cells, Enter goes to the longest"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it has a cursor of its own, which keys move.
          tabIndex={0}
          onKeyDown={press}
          onBlur={() => show(null)}
          onPointerMove={point}
          onPointerLeave={() => show(null)}
          onClick={pick}
        >
          <canvas ref={canvas} style={size} />
          <div ref={frame} className="matrix-frame" hidden style={{ width: cell, height: cell }} />
        </div>
      </div>
      <p ref={words} className="histogram-text" aria-live="polite">
        {hint}
      </p>
    </div>
  );
}

/** The room for the names of rows or columns, in the font of the CSS. */
function roomFor(ends: Matrix['from']): number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return MOST_NAME;
  context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  const widths = ends.map(({ end }) => context.measureText(endText(end)).width);
  return Math.min(MOST_NAME, Math.ceil(Math.max(0, ...widths)) + 1);
}

interface NameProps {
  readonly of: 'row' | 'column';
  readonly name: string;
  readonly style: CSSProperties;
}

function Name({ of, name, style }: NameProps): ReactNode {
  return (
    <span className={`matrix-name ${of}`} style={style} title={name}>
      {/* Several CPUs are told by their numbers alone. */}
      {name.replace(/^CPUs /, '')}
    </span>
  );
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

function inWords(
  { from, to }: MergedMatrix,
  [row, column]: readonly [number, number],
  cell: MergedCell | undefined,
  clock: TraceClock,
): string {
  const [a, b] = [from[row], to[column]];
  if (!a || !b) return '';
  const names = `${a.name} → ${b.name}`;
  if (!cell) return `${names}: never`;
  const times = `${formatCount(cell.count)} times, ${formatDuration(clock, cell.ns)} in all`;
  const spare = cell.behind_ns > 0 ? `, ${formatDuration(clock, cell.behind_ns)} of it while CPUs were spare` : '';
  return `${names}: ${times}${spare}; the longest ${formatDuration(clock, cell.longest_ns)}`;
}

interface Painted {
  readonly matrix: MergedMatrix;
  readonly measure: 'count' | 'ns';
  readonly cell: number;
}

function paint(canvas: HTMLCanvasElement, { matrix, measure, cell }: Painted): void {
  const scale = window.devicePixelRatio;
  const { from, to, cells } = matrix;
  const [width, height] = [cell * to.length, cell * from.length];
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (!context) return;
  const style = getComputedStyle(canvas);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  context.scale(scale, scale);
  context.clearRect(0, 0, width, height);
  context.fillStyle = colour('--surface');
  context.fillRect(0, 0, width, height);
  const most = cells.reduce((largest, one) => Math.max(largest, one[measure]), 0);
  context.fillStyle = colour('--accent');
  const gap = cell >= 6 ? 1 : 0;
  for (const one of cells) {
    context.globalAlpha = strength(one[measure], most);
    context.fillRect(one.to * cell, one.from * cell, cell - gap, cell - gap);
  }
}
