import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { PageUi } from '../../page/keys';
import { actions, type Entry, matching, recentFirst, things } from '../../page/palette/entries';
import { noteAction, recentActions } from '../../page/palette/recentActions';
import { usePage, useScene } from '../context';
import './palette.css';

interface PaletteFormProps {
  readonly ui: PageUi;
  readonly onClose: () => void;
}

/** A field, and below it what fits to what was typed; arrows choose, Enter does it. */
export function PaletteForm({ ui, onClose }: PaletteFormProps): ReactNode {
  const page = usePage();
  const scene = useScene();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const all = useMemo(
    () =>
      recentFirst(
        actions(page, ui, (key) => scene.handleKey(new KeyboardEvent('keydown', key))),
        recentActions(),
      ),
    [page, ui, scene],
  );
  const shown = useMemo(() => [...things(page, typed), ...matching(all, typed)], [page, all, typed]);
  // Once the code of the form is there, the dialog focuses the field; if it comes later, the form does.
  useEffect(() => {
    field.current?.focus();
  }, []);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const act = (entry: Entry | undefined): void => {
    if (!entry || entry.first) return;
    if (all.includes(entry)) noteAction(entry.text);
    onClose();
    // Another dialog can only open when this one has closed.
    setTimeout(entry.run);
  };
  const press = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((place) => Math.max(0, Math.min(shown.length - 1, place + step)));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      act(shown[chosen]);
    }
  };
  return (
    <div className="palette">
      <input
        ref={field}
        className="field"
        data-focus
        role="combobox"
        aria-label="Actions, commands, PIDs, CPUs and instants"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={shown.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder="An action, a command, a PID, a CPU, or a time in s"
        spellCheck={false}
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      <div ref={list} id={`${id}-list`} className="palette-list" role="listbox" aria-label="What fits">
        {shown.map((entry, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys.
          <div
            key={`${entry.text} ${entry.keys}`}
            id={`${id}-${place}`}
            className="palette-entry"
            role="option"
            tabIndex={-1}
            aria-selected={place === chosen}
            aria-disabled={Boolean(entry.first)}
            onClick={() => act(entry)}
          >
            <span>{entry.text}</span>
            <span className="palette-keys">
              {entry.first}
              {!entry.first && entry.keys.map((key) => <kbd key={key}>{key}</kbd>)}
            </span>
          </div>
        ))}
      </div>
      {shown.length === 0 && <p className="hint">Nothing fits.</p>}
    </div>
  );
}
