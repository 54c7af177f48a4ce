import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { formatCount, formatDuration } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import { useObservable } from '../../components/useObservable';
import { useWidth } from '../../components/useWidth';
import type { Matrix } from '../../engine/protocol';
import type { goToRelated } from '../../page/relations/goToRelated';
import { type MergedCell, type MergedMatrix, merged } from '../../page/relations/merged';
import { strength } from '../../page/relations/words';
import { usePage } from '../context';

interface MatrixMapProps {
  readonly matrix: Matrix;
  /** What colours cells. */
  readonly measure: 'count' | 'ns';
  readonly clock: TraceClock;
  readonly onPick: (pair: Parameters<typeof goToRelated>[1]) => void;
}

/** In CSS pixels. */
const NAMES = 92;
const COLUMN_NAMES = 74;
const MAX_CELL = 22;
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
  const room = Math.max(1, width - NAMES);
  // What has no room for each CPU is an overview: several are one.
  const block = Math.max(1, Math.ceil((LEAST_CELL * matrix.to.length) / room));
  const shown = useMemo(() => merged(matrix, block), [matrix, block]);
  const { from, to, cells } = shown;
  const byPlace = useMemo(() => new Map(cells.map((one) => [one.from * to.length + one.to, one])), [cells, to]);
  const isMerged = from.length < matrix.from.length || to.length < matrix.to.length;
  const hint = isMerged ? `${HINT} Up to ${block} CPUs are one line; where the pane is wider, fewer are.` : HINT;
  const cell = Math.min(MAX_CELL, Math.max(1, Math.floor(room / Math.max(1, to.length))));
  const height = COLUMN_NAMES + cell * from.length;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours.
  useEffect(() => {
    const element = canvas.current;
    if (!element || width === 0) return;
    paint(element, { matrix: shown, measure, cell, width, height });
    at.current = null;
    if (frame.current) frame.current.hidden = true;
  }, [shown, measure, cell, width, height, shade]);

  const cellAt = (place: readonly [number, number] | null): MergedCell | undefined =>
    place ? byPlace.get(place[0] * to.length + place[1]) : undefined;
  const show = (place: readonly [number, number] | null): void => {
    at.current = place;
    if (frame.current) {
      frame.current.hidden = place === null;
      if (place) {
        frame.current.style.transform = `translate(${NAMES + place[1] * cell}px,${COLUMN_NAMES + place[0] * cell}px)`;
      }
    }
    if (words.current) words.current.textContent = place ? inWords(shown, place, cellAt(place), clock) : hint;
  };
  const point = (event: PointerEvent): void => {
    const column = Math.floor((event.nativeEvent.offsetX - NAMES) / cell);
    const row = Math.floor((event.nativeEvent.offsetY - COLUMN_NAMES) / cell);
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
      <div
        className="matrix-box"
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
        <canvas ref={canvas} style={{ width, height }} />
        <div ref={frame} className="matrix-frame" hidden style={{ width: cell, height: cell }} />
      </div>
      <p ref={words} className="histogram-text" aria-live="polite">
        {hint}
      </p>
    </div>
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
  readonly width: number;
  readonly height: number;
}

function paint(canvas: HTMLCanvasElement, { matrix, measure, cell, width, height }: Painted): void {
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (!context) return;
  const style = getComputedStyle(canvas);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  context.scale(scale, scale);
  context.clearRect(0, 0, width, height);
  const { from, to, cells } = matrix;
  context.fillStyle = colour('--surface');
  context.fillRect(NAMES, COLUMN_NAMES, cell * to.length, cell * from.length);
  const most = cells.reduce((largest, one) => Math.max(largest, one[measure]), 0);
  context.fillStyle = colour('--accent');
  const gap = cell >= 6 ? 1 : 0;
  for (const one of cells) {
    context.globalAlpha = strength(one[measure], most);
    context.fillRect(NAMES + one.to * cell, COLUMN_NAMES + one.from * cell, cell - gap, cell - gap);
  }
  context.globalAlpha = 1;
  context.fillStyle = colour('--text');
  context.font = `11px ${style.fontFamily}`;
  context.textBaseline = 'middle';
  // Where cells are small, some are named.
  const every = Math.ceil(NAMED_CELL / cell);
  const named = (text: string, room: number): string => {
    // Several CPUs are told by their numbers alone.
    let shown = text.replace(/^CPUs /, '');
    while (shown.length > 1 && context.measureText(shown).width > room) shown = `${shown.slice(0, -2)}…`;
    return shown;
  };
  context.textAlign = 'right';
  from.forEach(({ name }, row) => {
    if (row % every === 0) {
      context.fillText(named(name, NAMES - 8), NAMES - 5, COLUMN_NAMES + (row + 0.5) * cell);
    }
  });
  context.textAlign = 'left';
  to.forEach(({ name }, column) => {
    if (column % every !== 0) return;
    context.save();
    context.translate(NAMES + (column + 0.5) * cell, COLUMN_NAMES - 5);
    context.rotate(-Math.PI / 3);
    context.fillText(named(name, COLUMN_NAMES), 0, 0);
    context.restore();
  });
}
