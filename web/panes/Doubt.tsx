import type { ReactNode } from 'react';
import './doubt.css';

/** Marks something that may be no wait at all, since records are missing. */
export function Doubt(): ReactNode {
  return (
    <span
      className="doubt"
      title="Records are missing where this says that something did not happen: the task may have run unseen."
    >
      uncertain
    </span>
  );
}
