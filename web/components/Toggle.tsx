import type { ReactNode } from 'react';

interface ToggleProps {
  readonly text: string;
  readonly title: string;
  readonly on: boolean;
  readonly disabled?: boolean;
  readonly onChange: (on: boolean) => void;
}

/** A check box with a text. */
export function Toggle({ text, title, on, disabled, onChange }: ToggleProps): ReactNode {
  return (
    <label className="toggle" title={title}>
      <input type="checkbox" checked={on} disabled={disabled} onChange={(event) => onChange(event.target.checked)} />
      <span>{text}</span>
    </label>
  );
}
