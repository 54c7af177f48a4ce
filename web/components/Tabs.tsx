import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { fittingTabs } from './fittingTabs';
import { Popover } from './Popover';

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
 * Tabs with one panel, in one row. Those that have no room are in a menu at its end, with their badges; arrow keys move between all
 * of them, as in the ARIA authoring practices.
 */
export function Tabs<T extends string>({ label, tabs, active, onChange, children }: TabsProps<T>): ReactNode {
  const prefix = useId();
  const bar = useRef<HTMLDivElement>(null);
  const more = useRef<HTMLDivElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const shown = useFitting(bar, tabs, active);
  const hidden = tabs.filter((_, index) => !shown.includes(index));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a tab that was hidden can have the focus once it is shown.
  useEffect(() => {
    const hadFocus = bar.current?.querySelector('[role=tab]:focus') || more.current?.contains(document.activeElement);
    if (hadFocus) document.getElementById(`${prefix}-${active}`)?.focus();
  }, [prefix, active, shown]);
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
      <div ref={bar} className="tab-bar">
        <div className="tab-list" role="tablist" aria-label={label} onKeyDown={press}>
          {tabs.map((tab, index) => (
            <button
              key={tab.id}
              id={`${prefix}-${tab.id}`}
              type="button"
              role="tab"
              className={shown.includes(index) ? 'tab' : 'tab without-room'}
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
        <div ref={more} className={hidden.length > 0 ? 'tab-more' : 'tab-more without-room'}>
          <Popover
            narrow
            box={menu}
            text={
              <>
                More
                {hidden.map(
                  ({ id, badge }) =>
                    badge && (
                      <span key={id} className="badge">
                        {badge}
                      </span>
                    ),
                )}
              </>
            }
            title="Tabs that have no room here"
            label="More tabs"
          >
            <div className="menu-actions">
              {hidden.map(({ id, text, badge }) => (
                <button
                  key={id}
                  type="button"
                  className="menu-action"
                  onClick={() => {
                    menu.current?.hidePopover();
                    onChange(id);
                  }}
                >
                  {text} {badge && <span className="badge">{badge}</span>}
                </button>
              ))}
            </div>
          </Popover>
        </div>
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

/** Of the bar, on both sides together, in CSS pixels. */
const PADDING = 8;

/** The places of the tabs that have room in the bar. */
function useFitting<T extends string>(
  bar: RefObject<HTMLDivElement | null>,
  tabs: readonly Tab<T>[],
  active: T,
): readonly number[] {
  const [shown, setShown] = useState<readonly number[]>(() => tabs.map((_, index) => index));
  const place = tabs.findIndex(({ id }) => id === active);
  // Their widths depend on these alone.
  const texts = tabs.map(({ text, badge }) => `${text} ${badge ?? ''}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other texts have other widths.
  useLayoutEffect(() => {
    const element = bar.current;
    if (!element) return;
    const measure = (): void => {
      const widths = [...element.querySelectorAll<HTMLElement>('[role=tab]')].map(({ offsetWidth }) => offsetWidth);
      const more = element.querySelector<HTMLElement>('.tab-more')?.offsetWidth ?? 0;
      const next = fittingTabs(widths, place, element.clientWidth - PADDING, more);
      setShown((before) => (`${before}` === `${next}` ? before : next));
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [bar, texts, place]);
  return shown;
}
