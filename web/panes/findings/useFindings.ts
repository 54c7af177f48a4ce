import { useEffect, useMemo, useState } from 'react';
import type { Finding, FindingKind, OverloadReport } from '../../engine/protocol';
import {
  countByKind,
  ofKinds,
  overloadFinding,
  overloadsOnly,
  ranked,
  selectionOf,
} from '../../page/findings/findingsList';
import { usePage, useView } from '../context';
import { useQuery } from '../useQuery';

/** How many findings of each kind are listed, at first and each time more are wanted. */
const TOPS = [10, 40, 200, 1000] as const;

export interface FindingsList {
  readonly rows: readonly Finding[];
  /** How many findings of each kind are known. */
  readonly counts: ReadonlyMap<FindingKind, number>;
  /** The report, if overloads alone are listed. */
  readonly overload: OverloadReport | null;
  readonly pending: boolean;
  /** 0 to 1 while findings are being looked for; null when all are found. */
  readonly progress: number | null;
  readonly error: string | null;
  /** Lists more of each kind; null if there are no more, or the list may not grow further. */
  readonly more: (() => void) | null;
}

/** Looks for findings, whichever tab is open, so that keys can step from one to the next. */
export function useFindings(): FindingsList {
  const page = usePage();
  const { engine, store } = page;
  const kinds = useView((view) => view.findings.kinds);
  const least = useView((view) => view.findings.least);
  // A text, because the view changes with every move and the selection does not.
  const selection = useView((view) => JSON.stringify(selectionOf(view, store.getLimits())));
  const [depth, setDepth] = useState(0);
  const top = TOPS[depth] ?? TOPS[0];
  const alone = overloadsOnly(kinds);
  const found = useQuery(engine, 'findings', { type: 'findings', selection: JSON.parse(selection), top });
  // A trace without system calls answers with an error, which is no news.
  const calls = useQuery(engine, 'callFindings', { type: 'call_findings', selection: JSON.parse(selection), top });
  const overloads = useQuery(
    engine,
    'overloads',
    alone ? { type: 'overload', selection: JSON.parse(selection), min_duration: least, top } : null,
  );
  const all = useMemo(
    () => ranked(found.answer?.findings ?? [], calls.answer?.findings ?? []),
    [found.answer, calls.answer],
  );
  const report = overloads.answer?.report ?? null;
  const rows = alone ? (report?.behind.map(overloadFinding) ?? []) : ofKinds(all, kinds);
  const query = alone ? overloads : found;
  const counts = countByKind(all);
  const full = alone
    ? (report?.behind_count ?? 0) > rows.length
    : [...countByKind(rows).values()].some((count) => count >= top);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every rendering makes the rows anew, from these.
  useEffect(() => page.findings.set(rows), [page, all, report, kinds]);
  return {
    rows,
    counts,
    overload: alone ? report : null,
    pending: query.pending || (!alone && calls.pending),
    progress: query.progress,
    error: query.error?.what ?? null,
    more: full && depth + 1 < TOPS.length ? () => setDepth(depth + 1) : null,
  };
}
