import { type ReactNode, type RefObject, useMemo, useRef } from 'react';
import { writeClipboard } from '../../base/clipboard';
import { formatTime, plural } from '../../base/format';
import type { TimeWindow } from '../../base/units';
import { Popover } from '../../components/Popover';
import { alignedText, type CopiedColumn, csvText } from '../../components/tableText';
import type { Summary } from '../../engine/protocol';
import { traceFacts } from '../../page/events/copyText';
import { clockOf } from '../../state/traces';
import { usePage } from '../context';
import { useOrigin } from '../useOrigin';

interface CopyMenuProps<Row> {
  readonly summary: Summary;
  /** What the rows are, such as `commands`. */
  readonly what: string;
  readonly columns: readonly CopiedColumn<Row>[];
  /** The rows in the order in which the table lists them. */
  readonly rows: RefObject<readonly Row[]>;
  /** The time that they are about; null: the whole trace. */
  readonly window: TimeWindow | null;
}

/** Copies a table as text for an e-mail, below a line that says what it is about, or as CSV. */
export function CopyMenu<Row>({ summary, what, columns, rows, window }: CopyMenuProps<Row>): ReactNode {
  const page = usePage();
  const origin = useOrigin();
  const clock = useMemo(() => clockOf(summary), [summary]);
  const box = useRef<HTMLDivElement>(null);
  const copy = async (text: string): Promise<void> => {
    box.current?.hidePopover();
    try {
      await writeClipboard(text);
      page.announce(`${plural(rows.current.length, 'row')} copied.`);
    } catch {
      page.announce('The browser refused the clipboard.');
    }
  };
  const title = (): string => {
    const time = window
      ? `${formatTime(clock, window.start, origin)} to ${formatTime(clock, window.end, origin)}`
      : 'whole trace';
    return `# ${[...traceFacts(summary), what, time].join(', ')}\n`;
  };
  return (
    <Popover text="Copy" title="Copy the table" label={`Copy ${what}`} box={box} narrow>
      <div className="menu-actions">
        <button
          type="button"
          className="menu-action"
          data-focus
          aria-label={`Copy ${what} as text`}
          onClick={() => void copy(title() + alignedText(columns, rows.current))}
        >
          As text <span className="muted">in columns</span>
        </button>
        <button
          type="button"
          className="menu-action"
          aria-label={`Copy ${what} as CSV`}
          onClick={() => void copy(csvText(columns, rows.current))}
        >
          As CSV <span className="muted">exact values, times in {clock.isNs ? 'ns' : 'ticks'}</span>
        </button>
      </div>
    </Popover>
  );
}
