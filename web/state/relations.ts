/** The tab of relations as a part of the view: which of them it shows, between what, and from which time. Pure. */
import { GROUPINGS, SPANS } from './latency';

/** Who wakes whom, who had the CPU while whom waited, and what CPUs had part in while tasks waited behind others. */
export const RELATIONS = ['wakes', 'took', 'spare'] as const;

export interface RelationsView {
  readonly show: (typeof RELATIONS)[number];
  readonly by: (typeof GROUPINGS)[number];
  /** `window`: the range, else the window on the screen. */
  readonly span: (typeof SPANS)[number];
}

export const initialRelations: RelationsView = { show: 'wakes', by: 'command', span: 'trace' };

/** The words of a URL: what is not as at first. */
export const printRelations = ({ show, by, span }: RelationsView): string =>
  [show !== initialRelations.show && show, by !== initialRelations.by && by, span !== initialRelations.span && span]
    .filter(Boolean)
    .join(',');

export function parseRelations(text: string): RelationsView | null {
  let { show, by, span } = initialRelations;
  for (const word of text.split(',')) {
    const found = {
      show: RELATIONS.find((name) => name === word),
      by: GROUPINGS.find((name) => name === word),
      span: SPANS.find((name) => name === word),
    };
    if (!found.show && !found.by && !found.span) return null;
    show = found.show ?? show;
    by = found.by ?? by;
    span = found.span ?? span;
  }
  return { show, by, span };
}
