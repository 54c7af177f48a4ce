import { type ReactNode, useRef, useState } from 'react';
import { Popover } from '../../components/Popover';
import { useObservable } from '../../components/useObservable';
import type { CallFacts } from '../../engine/protocol';
import { MAX_COMPAT, MAX_COMPAT_NAME, toggleCompat } from '../../state/calls';
import { usePage, useView } from '../context';

/** Whose table names the calls, and which tasks' calls are read by the table of 32-bit tasks. */
export function NamesMenu({ facts }: { readonly facts: CallFacts }): ReactNode {
  const { store, callNames } = usePage();
  const { arch, compat } = useView((view) => view.calls);
  const problem = useObservable(callNames.problem);
  const [draft, setDraft] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const change = (part: { readonly arch?: string; readonly compat?: readonly string[] }): void =>
    store.dispatch({ type: 'calls', change: part });
  const told = facts.arch_told ?? 'numbers';
  const task = draft.trim();
  return (
    <Popover
      text={`Names: ${facts.arch ?? 'numbers'}${compat.length > 0 ? ' +32' : ''}`}
      title="Whose table names the calls, and 32-bit tasks"
      label="Names of calls"
      isOn={arch !== '' || compat.length > 0}
    >
      <div className="call-names">
        <label className="labelled">
          <span>Table of</span>
          <select
            className="field small"
            data-focus
            value={arch}
            onChange={(event) => change({ arch: event.target.value })}
          >
            <option value="">{`as in the trace: ${told}`}</option>
            {/* A link may name a machine that is not known. */}
            {[...new Set([...facts.machines, ...(arch === '' ? [] : [arch])])].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {problem !== null && (
          <p className="hint" role="alert">
            {problem}.
          </p>
        )}
        <p className="hint small">
          32-bit tasks call by another table, and raw events do not say so. Name such commands or thread ids:{' '}
          {facts.arch_compat === null
            ? 'for this machine none is known.'
            : `their calls are read by the table of ${facts.arch_compat}.`}
        </p>
        <form
          className="call-names-add"
          onSubmit={(event) => {
            event.preventDefault();
            if (task !== '' && !compat.includes(task)) change({ compat: toggleCompat(compat, task) });
            setDraft('');
          }}
        >
          <input
            className="field small"
            ref={field}
            aria-label="Command or thread id of 32 bits"
            placeholder="command or thread id"
            spellCheck={false}
            maxLength={MAX_COMPAT_NAME}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
          <button type="submit" className="button small" disabled={task === '' || compat.length >= MAX_COMPAT}>
            Add
          </button>
        </form>
        {compat.map((name) => (
          <button
            key={name}
            type="button"
            className="button small"
            title="Read its calls by the machine’s table again"
            aria-label={`${name}: no longer of 32 bits`}
            onClick={() => {
              change({ compat: toggleCompat(compat, name) });
              // The button goes away.
              field.current?.focus();
            }}
          >
            {name} ✕
          </button>
        ))}
      </div>
    </Popover>
  );
}

/** Reads the calls of one thread by the table of 32-bit tasks, or no longer. */
export function CompatButton({ pid, facts }: { readonly pid: number; readonly facts: CallFacts }): ReactNode {
  const { store } = usePage();
  const compat = useView((view) => view.calls.compat);
  const task = `${pid}`;
  const isOn = compat.includes(task);
  if (facts.arch_compat === null && !isOn) return null;
  return (
    <button
      type="button"
      className="button small"
      aria-pressed={isOn}
      title={`Read the calls of this thread by the table of ${facts.arch_compat ?? '32-bit tasks'}, or no longer`}
      onClick={() => store.dispatch({ type: 'calls', change: { compat: toggleCompat(compat, task) } })}
    >
      {isOn ? 'Not a 32-bit task' : '32-bit task'}
    </button>
  );
}
