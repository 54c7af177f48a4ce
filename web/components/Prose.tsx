import type { ReactNode } from 'react';

/** A text in which everything between backticks is code: commands, names of fields. */
export function Prose({ text }: { readonly text: string }): ReactNode {
  return text.split('`').map((part, index) =>
    // Every second part was between two backticks.
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move.
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
