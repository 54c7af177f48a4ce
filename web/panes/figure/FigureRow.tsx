import type { ReactNode } from 'react';

/** `htmlFor`: the field that the label belongs to; without it, each of the row's controls has its own label. */
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
