import type { KeyboardEvent, ReactNode } from 'react';

interface ChartCursorProps {
  /** Names the chart and what the keys move between, like `softirq: bucket`. */
  readonly label: string;
  /** How many places there are. */
  readonly count: number;
  /** The chosen place; null: none. */
  readonly chosen: number | null;
  readonly onChoose: (place: number | null) => void;
  /** The chosen place in words; null: none is chosen. */
  readonly text: string | null;
  /** Read aloud where none is chosen. */
  readonly none: string;
  /** Written where none is chosen. */
  readonly hint: string;
  /** Goes to the chosen place, with Enter. */
  readonly onPick?: () => void;
}

/** How every chart is used with keys and read aloud: a slider over its places, and the chosen place in words below it. */
export function ChartCursor({ label, count, chosen, onChoose, text, none, hint, onPick }: ChartCursorProps): ReactNode {
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || chosen === null || !onPick) return;
    event.preventDefault();
    onPick();
  };
  return (
    <>
      <input
        type="range"
        className="visually-hidden"
        aria-label={label}
        aria-valuetext={text ?? none}
        min={0}
        max={Math.max(0, count - 1)}
        disabled={count === 0}
        value={chosen ?? 0}
        onFocus={() => onChoose(chosen ?? 0)}
        onBlur={() => onChoose(null)}
        onChange={(event) => onChoose(Number(event.target.value))}
        onKeyDown={press}
      />
      {count > 0 && <p className="histogram-text">{text ?? <span className="muted">{hint}</span>}</p>}
    </>
  );
}

/** The cursor of a histogram. */
export const BucketCursor = (props: Omit<ChartCursorProps, 'none' | 'hint' | 'onPick'>): ReactNode => (
  <ChartCursor {...props} none="No bucket is chosen." hint="Point at a bar, or use the arrow keys, for counts." />
);
