import { type KeyboardEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react';
import type { EventFilterError } from '../../engine/protocol';
import { type Completion, completed, completionsAt } from '../../page/events/filterCompletion';
import { isExpression, MAX_EXPRESSION } from '../../state/events';
import { usePage } from '../context';
import { useQuery } from '../useQuery';

interface FilterTextProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Distinguishes the fields of a page. */
  readonly name: string;
  readonly label: string;
  readonly inputId?: string;
  /** Enter was pressed, and no name was chosen by it. */
  readonly onEnter?: (shift: boolean) => void;
}

const TITLE = [
  'Lines that hold this, whatever the case. Or, with an operator, an expression in ftrace’s language:',
  'next_prio < 100 && next_comm ~ "ua*"',
  'sched_switch: prev_state & 1 || CPU == 3',
  '== != < <= > >= compare numbers, & asks for bits, ~ and !~ take patterns of * and ?; && || ! ( ) join.',
  '↓ lists fields and events.',
].join('\n');

/** A text that lines hold, or an expression that events pass; what is wrong with one stands below it. */
export function FilterText({ text, onChange, name, label, inputId, onEnter }: FilterTextProps): ReactNode {
  const { engine } = usePage();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const isOne = isExpression(text);
  const check = useQuery(engine, `${name}/check`, isOne ? { type: 'event_filter_check', expression: text } : null);
  const error = isOne && !check.pending ? (check.answer?.error ?? null) : null;
  const [open, setOpen] = useState(false);
  const fields = useQuery(engine, `${name}/fields`, open ? { type: 'event_fields' } : null);
  const names = useQuery(engine, `${name}/field-events`, open ? { type: 'event_names' } : null);
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState(0);
  const known = fields.answer?.fields;
  const events = names.answer?.names;
  const found = useMemo(
    () => (open && known ? completionsAt(text, caret, known, events ?? []) : null),
    [open, text, caret, known, events],
  );
  const options = found?.options ?? [];

  const take = (option: Completion): void => {
    if (!found) return;
    const next = completed(text, found, option);
    onChange(next.text.slice(0, MAX_EXPRESSION));
    setOpen(false);
    requestAnimationFrame(() => input.current?.setSelectionRange(next.caret, next.caret));
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const option = options[chosen];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!open) {
        setCaret(event.currentTarget.selectionStart ?? text.length);
        setChosen(0);
        setOpen(true);
      } else if (options.length > 0) {
        const step = event.key === 'ArrowDown' ? 1 : options.length - 1;
        setChosen((chosen + step) % options.length);
      }
    } else if (open && option && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault();
      take(option);
    } else if (event.key === 'Enter' && onEnter) {
      event.preventDefault();
      onEnter(event.shiftKey);
    } else if (open && event.key === 'Escape') {
      event.stopPropagation();
      setOpen(false);
    }
  };

  return (
    <span className="filter-text">
      <label className="labelled">
        <span className="in-full">{label}</span>
        <input
          ref={input}
          id={inputId}
          className={text === '' ? 'field small' : 'field small on'}
          size={isOne ? 28 : 13}
          maxLength={MAX_EXPRESSION}
          placeholder="Text or expression"
          title={TITLE}
          spellCheck={false}
          autoComplete="off"
          role="combobox"
          aria-expanded={options.length > 0}
          aria-controls={`${id}-options`}
          aria-activedescendant={options.length > 0 ? `${id}-${chosen}` : undefined}
          aria-invalid={error !== null}
          aria-describedby={error ? `${id}-error` : undefined}
          value={text}
          onChange={(event) => {
            setCaret(event.target.selectionStart ?? event.target.value.length);
            setChosen(0);
            onChange(event.target.value);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setOpen(false)}
        />
      </label>
      {options.length > 0 && (
        <div
          className="filter-options"
          id={`${id}-options`}
          role="listbox"
          tabIndex={-1}
          aria-label="Fields and events"
        >
          {options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys, and keeps the focus.
            <div
              key={option.text}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(option)}
            >
              <span>{option.text}</span>
              <span className="muted">{option.note}</span>
            </div>
          ))}
        </div>
      )}
      {error && options.length === 0 && (
        <span className="filter-error" id={`${id}-error`} role="status">
          <Pointed text={text} error={error} />
          <span>{error.message}</span>
        </span>
      )}
    </span>
  );
}

/** The text with a mark where it is wrong. */
function Pointed({ text, error }: { readonly text: string; readonly error: EventFilterError }): ReactNode {
  const wrong = text.slice(error.start, error.end);
  return (
    <code>
      {text.slice(0, error.start)}
      <mark>{wrong === '' ? ' ' : wrong}</mark>
      {text.slice(error.end)}
    </code>
  );
}
