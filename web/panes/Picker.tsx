import type { ReactNode } from 'react';

interface PickerProps {
  readonly label: string;
  readonly placeholder: string;
  readonly typed: string;
  readonly onType: (text: string) => void;
  /** Enter was pressed. */
  readonly onEnter: () => void;
  /** A button beside the field. */
  readonly beside?: ReactNode;
  /** The choices that are left. */
  readonly children: ReactNode;
}

/** Narrows choices by what is typed; Enter takes the first. */
export function Picker({ label, placeholder, typed, onType, onEnter, beside, children }: PickerProps): ReactNode {
  return (
    <>
      <div className="menu-head">
        <input
          className="field small"
          aria-label={label}
          placeholder={placeholder}
          spellCheck={false}
          data-focus
          value={typed}
          onChange={(event) => onType(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // If the menu closes, its button has the focus: the same key would open it again.
            event.preventDefault();
            onEnter();
          }}
        />
        {beside}
      </div>
      {children}
    </>
  );
}

interface CheckListProps {
  /** `note`: follows the name. */
  readonly choices: readonly { readonly name: string; readonly note?: string }[];
  readonly chosen: readonly string[];
  /** Whether no more can be chosen. */
  readonly isFull: boolean;
  readonly onToggle: (name: string) => void;
  /** What is said where there are no choices. */
  readonly none: ReactNode;
}

/** Choices of which several can be taken. */
export function CheckList({ choices, chosen, isFull, onToggle, none }: CheckListProps): ReactNode {
  return (
    <ul className="menu-list">
      {choices.map(({ name, note }) => (
        <li key={name}>
          <label className="menu-choice">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              disabled={isFull && !chosen.includes(name)}
              onChange={() => onToggle(name)}
            />
            <span className="menu-name">{name}</span>
            {note !== undefined && <span className="muted">{note}</span>}
          </label>
        </li>
      ))}
      {choices.length === 0 && <li className="hint">{none}</li>}
    </ul>
  );
}
