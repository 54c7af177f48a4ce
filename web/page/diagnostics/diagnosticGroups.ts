/** Groups the problems that were found in a trace by what they are. No React. */
import type { Ns } from '../../base/units';
import type { Cpu, Diagnostic } from '../../engine/protocol';

/** A place where a problem of the group was seen. */
export interface DiagnosticPlace {
  readonly cpu: Cpu | null;
  readonly at: Ns;
}

export interface DiagnosticGroup {
  /** What was claimed, or is missing. */
  readonly claim: string;
  /** What was done about it; null where nothing had to be decided. */
  readonly policy: string | null;
  readonly count: number;
  /** The CPUs on which it was counted, ascending. */
  readonly cpus: readonly Cpu[];
  /** Some of the places in time order; fewer than `count` when there are many. */
  readonly places: readonly DiagnosticPlace[];
}

/** The most places that a group lists. */
export const MAX_PLACES = 24;

/** One group for each text, in the order in which the texts first appear; each lists its first `MAX_PLACES` places. */
export function groupDiagnostics(diagnostics: readonly Diagnostic[]): readonly DiagnosticGroup[] {
  const byText = new Map<string, Diagnostic[]>();
  for (const found of diagnostics) {
    const same = byText.get(found.text);
    if (same) {
      same.push(found);
    } else {
      byText.set(found.text, [found]);
    }
  }
  return [...byText].map(([text, found]) => groupOf(text, found));
}

function groupOf(text: string, found: readonly Diagnostic[]): DiagnosticGroup {
  const cut = text.indexOf('; ');
  const places = found.flatMap(({ cpu, at_ns: atNs, more_ns: moreNs }) =>
    (atNs === null ? [] : [atNs, ...moreNs]).map((at) => ({ cpu, at })),
  );
  return {
    claim: cut < 0 ? text : text.slice(0, cut),
    policy: cut < 0 ? null : text.slice(cut + 2),
    count: found.reduce((sum, { count }) => sum + count, 0),
    cpus: [...new Set(found.flatMap(({ cpu }) => (cpu === null ? [] : [cpu])))].sort((a, b) => a - b),
    places: places.sort((a, b) => a.at - b.at || (a.cpu ?? -1) - (b.cpu ?? -1)).slice(0, MAX_PLACES),
  };
}
