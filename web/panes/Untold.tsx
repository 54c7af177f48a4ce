import type { ReactNode } from 'react';
import type { Metadata } from '../engine/protocol';
import { untoldHere } from '../page/cannotTell';

interface UntoldProps {
  readonly summary: Metadata;
  /** What matters here, in the words of `cannot_tell`. */
  readonly matters: readonly string[];
}

/** Says what the trace's format has no way to say, where that matters. */
export function Untold({ summary, matters }: UntoldProps): ReactNode {
  const text = untoldHere(summary, matters);
  return text === null ? null : <p className="hint untold">{text}</p>;
}
