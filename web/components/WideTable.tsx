import type { ReactNode } from 'react';

interface WideTableProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** Lets a table that may be wider than its pane scroll sideways, by keys as well: the place is a tab stop. */
export function WideTable({ label, children }: WideTableProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll what has the focus.
    <section className="numbers-scroll" aria-label={`${label}, scrolls sideways`} tabIndex={0}>
      {children}
    </section>
  );
}
