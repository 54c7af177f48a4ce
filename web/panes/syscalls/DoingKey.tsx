import type { ReactNode } from 'react';
import { DOING_WORDS, doingsOf } from '../../page/calls/rows';

/** The colours of what threads do in calls. */
export function DoingKey({ net }: { readonly net: boolean }): ReactNode {
  return (
    <p className="doing-key">
      {doingsOf(net).map((doing) => (
        <span key={doing}>
          <span className={`swatch doing ${doing}`} /> {DOING_WORDS[doing]}
        </span>
      ))}
    </p>
  );
}
