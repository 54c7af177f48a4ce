import { type ReactNode, useId } from 'react';

interface SegmentedProps<T extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: T; readonly text: string; readonly title?: string }[];
  readonly value: T;
  /** Whether it fits into the head of a pane. */
  readonly small?: boolean;
  readonly onChange: (value: T) => void;
}

/** A choice of one value among a few: radio buttons that look like one button with several parts. */
export function Segmented<T extends string>({ label, options, value, small, onChange }: SegmentedProps<T>): ReactNode {
  const name = useId();
  return (
    <fieldset className={small ? 'segmented small' : 'segmented'}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="segment" title={option.title}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.text}</span>
        </label>
      ))}
    </fieldset>
  );
}
