import { type ReactNode, useState } from 'react';
import './fold.css';

interface FoldProps {
  /** The name under which its state is remembered, the same wherever the section appears. */
  readonly name: string;
  readonly title: ReactNode;
  /** Whether it is open until the user opens or closes it. */
  readonly open?: boolean;
  readonly children: ReactNode;
}

/** A section that stays closed or open as the user left it. The contents of a closed section are not rendered. */
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
