/** The details and the list of findings in a URL: `tab=findings&findings=overload&least=1000&movable=1&arrows=cascade`. */

import { ns } from '../base/units';
import type { FindingKind } from '../engine/protocolExplain';
import { DETAILS_TABS, type DetailsTab, naturalTab } from './details';
import { type ArrowsOf, FINDING_KINDS, type FindingsView, initialFindings } from './findings';
import { decodeFlag, oneOf, type ReadField } from './urlFields';
import type { ViewState } from './viewState';

const ARROWS: readonly ArrowsOf[] = ['chain', 'cascade'];

/** Only what differs from what the rest of the view makes of it. */
export function encodeFindings(view: ViewState): [string, string][] {
  const fields: [string, string][] = [
    ['tab', view.tab === naturalTab(view) ? '' : view.tab],
    ['findings', view.findings.kinds.join(',')],
    ['least', view.findings.least === 0 ? '' : `${view.findings.least}`],
    ['movable', view.findings.movable ? '1' : ''],
    ['arrows', view.arrows === 'chain' ? '' : view.arrows],
  ];
  return fields.filter(([, value]) => value !== '');
}

export interface DecodedFindings {
  /** null: the natural one. */
  readonly tab: DetailsTab | null;
  readonly findings: Omit<FindingsView, 'within'>;
  readonly arrows: ArrowsOf;
}

export function decodeFindings(read: ReadField): DecodedFindings {
  return {
    tab: read<DetailsTab | null>('tab', oneOf(DETAILS_TABS), null, DETAILS_TABS.join(', ')),
    findings: {
      kinds: read('findings', decodeKinds, initialFindings.kinds, `some of ${FINDING_KINDS.join(', ')}`),
      least: read('least', (text) => (/^\d{1,15}$/.test(text) ? ns(Number(text)) : null), ns(0), 'a duration in ns'),
      movable: read('movable', decodeFlag, false, '0 or 1'),
    },
    arrows: read('arrows', oneOf(ARROWS), 'chain', ARROWS.join(' or ')),
  };
}

function decodeKinds(text: string): readonly FindingKind[] | null {
  const wanted = text.split(',');
  const kinds = FINDING_KINDS.filter((kind) => wanted.includes(kind));
  return kinds.length === wanted.length ? kinds : null;
}
