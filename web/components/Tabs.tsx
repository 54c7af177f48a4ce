import { type KeyboardEvent, type ReactNode, useEffect, useId } from 'react';

interface Tab<T extends string> {
  readonly id: T;
  readonly text: string;
  /** A count or mark after the text. */
  readonly badge?: string | null;
}

interface TabsProps<T extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<T>[];
  readonly active: T;
  readonly onChange: (id: T) => void;
  readonly children: ReactNode;
}

const SCROLLING: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' ']);

/**
 * Tabs with one panel, in one row, which scrolls where it is longer than the pane; arrow keys move between them, as in the ARIA
 * authoring practices.
 */
export function Tabs<T extends string>({ label, tabs, active, onChange, children }: TabsProps<T>): ReactNode {
  const prefix = useId();
  useEffect(() => {
    document.getElementById(`${prefix}-${active}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [prefix, active]);
  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (direction === undefined || event.altKey) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const index = tabs.findIndex((tab) => tab.id === active);
    const next = tabs[(index + direction + tabs.length) % tabs.length];
    if (next) {
      onChange(next.id);
      document.getElementById(`${prefix}-${next.id}`)?.focus();
    }
  };
  /** Keeps keys that scroll the panel from the rest of the page. */
  const scroll = (event: KeyboardEvent<HTMLDivElement>): void => {
    const { scrollHeight, clientHeight } = event.currentTarget;
    if (event.target === event.currentTarget && scrollHeight > clientHeight && SCROLLING.has(event.key)) {
      event.stopPropagation();
    }
  };
  return (
    <div className="tabs">
      <div
        className="tab-list"
        role="tablist"
        aria-label={label}
        onKeyDown={press}
        onWheel={({ deltaY, currentTarget }) => currentTarget.scrollBy({ left: deltaY })}
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${prefix}-${tab.id}`}
            type="button"
            role="tab"
            className="tab"
            aria-selected={tab.id === active}
            aria-controls={`${prefix}-panel`}
            tabIndex={tab.id === active ? 0 : -1}
            onClick={() => onChange(tab.id)}
          >
            {tab.text}
            {tab.badge && <span className="badge">{tab.badge}</span>}
          </button>
        ))}
      </div>
      <div
        id={`${prefix}-panel`}
        className="tab-panel"
        role="tabpanel"
        aria-labelledby={`${prefix}-${active}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll it, whatever is in it.
        tabIndex={0}
        onKeyDown={scroll}
      >
        {children}
      </div>
    </div>
  );
}
