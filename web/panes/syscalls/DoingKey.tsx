import type { ReactNode } from 'react';
import { DOING_WORDS, DOINGS } from '../../page/calls/rows';

/** The colours of what threads do in calls. */
export function DoingKey(): ReactNode {
  return (
    <p className="doing-key">
      {DOINGS.map((doing) => (
        <span key={doing}>
          <span className={`swatch doing ${doing}`} /> {DOING_WORDS[doing]}
        </span>
      ))}
    </p>
  );
}
