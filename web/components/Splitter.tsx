import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import './splitter.css';

interface SplitterProps {
  /** The name of the line for screen readers, under which its position is remembered too. */
  readonly label: string;
  /** `columns`: the panes lie side by side. */
  readonly direction: 'columns' | 'rows';
  /** Share of the first pane, from 0 to 1, until the user moves the line. */
  readonly initial: number;
  readonly first: ReactNode;
  /** null: the first pane gets all the room. */
  readonly second: ReactNode | null;
  /** The most CSS pixels that the second pane needs; the first gets the rest. */
  readonly most?: number;
  /** The most CSS pixels of the second pane until the user moves the line. */
  readonly mostAtFirst?: number;
  /** The most CSS pixels that the first pane can fill, until the user moves the line; the second gets the rest. */
  readonly firstMost?: number | undefined;
}

const STEP = 0.02;
const LOWEST = 0.1;
const HIGHEST = 0.92;
const clamp = (share: number): number => Math.min(HIGHEST, Math.max(LOWEST, share));

/** Two panes, or one, with a line between them that can be dragged, moved with the arrow keys, and reset by a double click. */
export function Splitter(props: SplitterProps): ReactNode {
  const { label, direction, initial, first, second, most, mostAtFirst, firstMost } = props;
  const key = `corelane.splitter.${label}`;
  const [moved, setMoved] = useState(() => remembered(key));
  const share = moved ?? initial;
  const limit = most ?? (moved === null ? mostAtFirst : undefined);
  const box = useRef<HTMLDivElement>(null);

  const move = (next: number): void => {
    setMoved(clamp(next));
    localStorage.setItem(key, clamp(next).toFixed(4));
  };
  const reset = (): void => {
    setMoved(null);
    localStorage.removeItem(key);
  };
  const drag = (event: PointerEvent): void => {
    const bounds = box.current?.getBoundingClientRect();
    if (bounds && event.currentTarget.hasPointerCapture(event.pointerId)) {
      move(
        direction === 'columns'
          ? (event.clientX - bounds.left) / bounds.width
          : (event.clientY - bounds.top) / bounds.height,
      );
    }
  };
  /** The share of the first pane on the screen, which a limit may have changed. */
  const shownShare = (): number => {
    const [whole, first] = [box.current, box.current?.firstElementChild].map((part) => part?.getBoundingClientRect());
    if (!whole || !first) return share;
    return direction === 'columns' ? first.width / whole.width : first.height / whole.height;
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -STEP, ArrowUp: -STEP, ArrowRight: STEP, ArrowDown: STEP }[event.key];
    if (step !== undefined && !event.altKey && !event.ctrlKey) {
      event.preventDefault();
      event.stopPropagation();
      move(shownShare() + step);
    }
  };

  const isFitted = firstMost !== undefined && moved === null;
  const firstShare = isFitted ? `min(${share * 100}%, ${firstMost}px)` : `${share * 100}%`;
  const style = { '--share': firstShare, '--most': `${limit}px` } as CSSProperties;
  const kind = `split split-${direction}${second === null ? ' split-whole' : limit === undefined ? '' : ' split-limited'}`;
  return (
    <div ref={box} className={kind} style={style}>
      <div className="split-first">{first}</div>
      {second !== null && (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be dragged or focused. */}
          <div
            className="split-line"
            role="separator"
            aria-label={label}
            aria-orientation={direction === 'columns' ? 'vertical' : 'horizontal'}
            aria-valuenow={Math.round(share * 100)}
            aria-valuemin={LOWEST * 100}
            aria-valuemax={HIGHEST * 100}
            tabIndex={0}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={drag}
            onDoubleClick={reset}
            onKeyDown={press}
          />
          <div className="split-second">{second}</div>
        </>
      )}
    </div>
  );
}

function remembered(key: string): number | null {
  const share = Number.parseFloat(localStorage.getItem(key) ?? '');
  return Number.isFinite(share) ? clamp(share) : null;
}
