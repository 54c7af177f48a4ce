import type { ReactNode } from 'react';

/** `htmlFor`: the label is a field's; otherwise each of its controls has its own. */
export function FigureRow({
  label,
  htmlFor,
  children,
}: {
  readonly label: string;
  readonly htmlFor?: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className="figure-row">
      {htmlFor === undefined ? (
        <span className="muted" aria-hidden="true">
          {label}
        </span>
      ) : (
        <label className="muted" htmlFor={htmlFor}>
          {label}
        </label>
      )}
      <div className="figure-row-controls">{children}</div>
    </div>
  );
}
