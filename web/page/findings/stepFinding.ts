/** Steps from finding to finding, for keys and clicks alike. */
import { plural } from '../../base/format';
import type { Finding } from '../../engine/protocol';
import { clockOf } from '../../state/traces';
import type { Page } from '../page';
import { indexOf, showing, shownIndex } from './findingsList';
import { findingInWords } from './findingWords';

/** The finding that was visited last, from which the next step starts. */
const visited = new WeakMap<Page, Finding>();

export function goToFinding(page: Page, finding: Finding): void {
  visited.set(page, finding);
  page.store.dispatch(showing(finding));
  const session = page.session.get();
  if (session.kind === 'open') {
    const list = page.findings.get();
    const place = indexOf(list, finding) + 1;
    // One that is not listed has no place.
    const placed = place === 0 ? '' : ` Finding ${place} of ${list.length}.`;
    page.announce(`${findingInWords(finding, clockOf(session.summary))}.${placed}`);
  }
}

/** The index of the finding that the view shows; -1: none. */
export const indexShown = (page: Page, list: readonly Finding[]): number =>
  shownIndex(list, page.store.getState(), visited.get(page) ?? null);

/** Goes to the next finding or the one before; if the view shows none, starts from the one that was visited last. */
export function stepFinding(page: Page, direction: -1 | 1): void {
  const list = page.findings.get();
  const last = visited.get(page);
  const shown = indexShown(page, list);
  const from = shown < 0 && last ? indexOf(list, last) : shown;
  const next = list[from < 0 ? (direction > 0 ? 0 : list.length - 1) : from + direction];
  if (next) {
    goToFinding(page, next);
  } else {
    page.announce(list.length === 0 ? 'There are no findings.' : `No more: ${plural(list.length, 'finding')}.`);
  }
}
