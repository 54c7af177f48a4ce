import { type ReactNode, useEffect, useState } from 'react';

interface NumberFieldProps {
  readonly label: string;
  readonly unit: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

/** A field for a number with its unit. While the text is no valid number, it changes nothing. */
export function NumberField({ label, unit, value, least, most, onChange }: NumberFieldProps): ReactNode {
  const [text, setText] = useState(`${value}`);
  const typed = text.trim() === '' ? Number.NaN : Number(text);
  const isFine = typed >= least && typed <= most;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a value that comes from elsewhere replaces the text.
  useEffect(() => {
    if (typed !== value) setText(`${value}`);
  }, [value]);
  return (
    <span className="number-field">
      <input
        className="field"
        inputMode="decimal"
        aria-label={`${label} in ${unit}`}
        aria-invalid={!isFine}
        title={`${least} to ${most} ${unit}`}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          const next = Math.round(Number(event.target.value) * 10) / 10;
          if (event.target.value.trim() !== '' && next >= least && next <= most) onChange(next);
        }}
        onBlur={() => setText(`${value}`)}
      />
      {unit}
    </span>
  );
}
