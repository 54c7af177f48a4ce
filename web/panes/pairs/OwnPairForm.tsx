import { type ReactNode, useEffect, useState } from 'react';
import type { OwnPair, OwnPairError } from '../../engine/protocol';
import { AGAIN, formatOwnPair, MAX_OWN_PAIR, NO_PAIR } from '../../state/pairs';

interface OwnPairFormProps {
  readonly own: OwnPair | null;
  readonly error: OwnPairError | null;
  readonly onChange: (own: OwnPair | null) => void;
}

interface TextField {
  readonly field: Exclude<keyof OwnPair, 'again'>;
  readonly text: string;
  readonly placeholder: string;
  readonly title: string;
}

const FIELDS: readonly TextField[] = [
  {
    field: 'start',
    text: 'Start',
    placeholder: 'irq:softirq_entry[vec == 1]',
    title: 'The first event, with a filter in brackets if need be: SYSTEM:EVENT[FILTER]',
  },
  { field: 'end', text: 'End', placeholder: 'irq:softirq_exit', title: 'The second event, likewise' },
  {
    field: 'key',
    text: 'Key',
    placeholder: 'cpu,vec',
    title: 'What both must share: fields, or pid, cpu, comm; a=b where the end calls it otherwise',
  },
  { field: 'group', text: 'Group', placeholder: 'vec', title: 'Fields that tell groups apart' },
  {
    field: 'value',
    text: 'Value',
    placeholder: 'end.now - start.expires',
    title: 'A field, or the difference of two, in place of the difference of times; without an end, of the start',
  },
];

const AGAIN_TEXTS: Readonly<Record<OwnPair['again'], string>> = {
  last: 'the last counts',
  first: 'the first counts',
  nest: 'they nest',
};

/** Makes a pair of any two events, or of a field of one. */
export function OwnPairForm({ own, error, onChange }: OwnPairFormProps): ReactNode {
  const [draft, setDraft] = useState(own ?? NO_PAIR);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view's pair is compared by its text.
  useEffect(() => {
    if (own) setDraft(own);
  }, [formatOwnPair(own)]);
  const isTooLong = formatOwnPair(draft).length > MAX_OWN_PAIR;
  return (
    <form
      className="own-pair"
      onSubmit={(event) => {
        event.preventDefault();
        if (draft.start.trim() !== '' && !isTooLong) onChange(trimmed(draft));
      }}
    >
      {FIELDS.map(({ field, text, placeholder, title }) => (
        <label key={field} className="labelled" title={title}>
          <span>{text}</span>
          <input
            className="field small"
            aria-invalid={error?.option === `--${field}`}
            placeholder={placeholder}
            spellCheck={false}
            maxLength={MAX_OWN_PAIR}
            value={draft[field]}
            onChange={(event) => setDraft({ ...draft, [field]: event.target.value })}
          />
        </label>
      ))}
      <label className="labelled" title="What is done with a second start before the end">
        <span>Of two starts</span>
        <select
          className="field small"
          value={draft.again}
          onChange={(event) => setDraft({ ...draft, again: event.target.value as OwnPair['again'] })}
        >
          {AGAIN.map((again) => (
            <option key={again} value={again}>
              {AGAIN_TEXTS[again]}
            </option>
          ))}
        </select>
      </label>
      {error && own && (
        <p className="hint" role="alert">
          {error.option.replace('--', '')}: {error.message}
          {wrongPart(own, error)}
        </p>
      )}
      {isTooLong && <p className="hint">Together at most {MAX_OWN_PAIR} characters.</p>}
      <div className="own-pair-actions">
        <button type="submit" className="button small" disabled={draft.start.trim() === '' || isTooLong}>
          Measure
        </button>
        {own && (
          <button type="button" className="button small quiet" onClick={() => onChange(null)}>
            Built-in pairs
          </button>
        )}
      </div>
    </form>
  );
}

function trimmed(draft: OwnPair): OwnPair {
  const { start, end, key, group, value, again } = draft;
  return {
    start: start.trim(),
    end: end.trim(),
    key: key.trim(),
    group: group.trim(),
    value: value.trim(),
    again,
  };
}

/** The part of the text that is wrong. */
function wrongPart(own: OwnPair, { option, start, end }: OwnPairError): string {
  const field = FIELDS.find((one) => `--${one.field}` === option)?.field;
  const part = field ? own[field].slice(start, end) : '';
  return part === '' ? '' : `: ${part}`;
}
