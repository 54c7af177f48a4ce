import { type ReactNode, useState } from 'react';
import './fold.css';

interface FoldProps {
  /** Names what is remembered: the same wherever the section appears. */
  readonly name: string;
  readonly title: ReactNode;
  /** Until the user opens or closes it. */
  readonly open?: boolean;
  readonly children: ReactNode;
}

/** A section that closes and stays so, until the user opens it again. What is closed is not made. */
export function Fold({ name, title, open = true, children }: FoldProps): ReactNode {
  const key = `corelane.fold.${name}`;
  const [isOpen, setOpen] = useState(() => remembered(key) ?? open);
  return (
    <details
      className="fold"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== isOpen) {
          setOpen(currentTarget.open);
          localStorage.setItem(key, currentTarget.open ? 'open' : 'closed');
        }
      }}
    >
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}

function remembered(key: string): boolean | null {
  const kept = localStorage.getItem(key);
  return kept === null ? null : kept === 'open';
}
