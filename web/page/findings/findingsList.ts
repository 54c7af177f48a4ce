/** The logic of the list of findings, without its rendering. Pure. */
import type { TimeWindow } from '../../base/units';
import type { Finding, FindingKind, ModelSelection, Violation } from '../../engine/protocol';
import { FINDING_KINDS } from '../../state/findings';
import { type Action, type Limits, timeBounds, type ViewState } from '../../state/viewState';
import { commandsOf } from './findingWords';

/** The part of the trace in which findings are looked for. */
export function selectionOf(view: ViewState, limits: Limits): ModelSelection {
  const bounds = timeBounds(view, limits);
  return {
    window: view.findings.within ?? (bounds.start > 0 ? bounds : null),
    forked: view.forked,
    movable: view.findings.movable,
    target: view.colour === 'target' && view.target !== '' ? view.target : null,
    comms: [],
    pids: [],
    cpus: null,
  };
}

/** Whether only overloads are listed: they come with their number and sums. */
export const overloadsOnly = (kinds: readonly FindingKind[]): boolean => kinds.length === 1 && kinds[0] === 'overload';

export const ofKinds = (findings: readonly Finding[], kinds: readonly FindingKind[]): readonly Finding[] =>
  kinds.length === 0 ? findings : findings.filter(({ kind }) => kinds.includes(kind));

/**
 * Findings of two lists, each in its order, in the order in which to look at them: the costliest first, the usual ones behind them,
 * and uncertain ones last.
 */
export function ranked(some: readonly Finding[], others: readonly Finding[]): readonly Finding[] {
  if (others.length === 0) {
    return some;
  }
  const usual = ({ kind }: Finding): boolean => kind === 'preemption';
  const place = ({ kind }: Finding): number => FINDING_KINDS.indexOf(kind);
  return [...some, ...others].sort(
    (a, b) =>
      Number(a.uncertain) - Number(b.uncertain) ||
      Number(usual(a)) - Number(usual(b)) ||
      b.cost_ns - a.cost_ns ||
      place(a) - place(b) ||
      a.start_ns - b.start_ns,
  );
}

export function countByKind(findings: readonly Finding[]): ReadonlyMap<FindingKind, number> {
  const counts = new Map<FindingKind, number>();
  for (const { kind } of findings) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** An interval of the overload report as a finding of the list. */
export function overloadFinding(violation: Violation): Finding {
  const { start_ns, end_ns, cost_task_ns, tasks, idle_cpus } = violation;
  const idled = [...idle_cpus].sort((a, b) => b.idle_ns - a.idle_ns || a.cpu - b.cpu).map(({ cpu }) => cpu);
  return {
    kind: 'overload',
    cost_ns: cost_task_ns,
    start_ns,
    end_ns,
    cpu: idled[0] ?? null,
    cpus: idled,
    count: violation.tasks_total,
    comm: tasks[0]?.comm ?? '',
    tasks,
    run: tasks[0]?.run ?? null,
    folded: 0,
    uncertain: violation.uncertain,
  };
}

export const intervalOf = ({ start_ns, end_ns }: Finding): TimeWindow => ({ start: start_ns, end: end_ns });

/** The action that goes to a finding. */
export const showing = (finding: Finding): Action => ({
  type: 'showFinding',
  interval: intervalOf(finding),
  selection: finding.run && { cpu: finding.run.cpu, start: finding.run.start_ns },
  highlighted: commandsOf(finding),
  // The path of the task tells more here than its wakers do.
  arrows: finding.kind === 'cascade' || finding.kind === 'moved_off_idle' ? 'cascade' : 'chain',
});

/** The index of the finding that the view shows; if several match, of the one that was visited `last`. */
export function shownIndex(list: readonly Finding[], view: ViewState, last: Finding | null): number {
  const isShown = (finding: Finding): boolean => {
    const { range, selection } = view;
    const sameTime = range?.start === finding.start_ns && range.end === finding.end_ns;
    const sameRun = selection?.cpu === finding.run?.cpu && selection?.start === finding.run?.start_ns;
    return sameTime && (sameRun || finding.kind === 'cascade');
  };
  const lastIndex = last === null ? -1 : indexOf(list, last);
  const lastFinding = list[lastIndex];
  return lastFinding && isShown(lastFinding) ? lastIndex : list.findIndex(isShown);
}

/** The index of the same finding in another answer. */
export const indexOf = (list: readonly Finding[], finding: Finding): number =>
  list.findIndex((other) => keyOf(other) === keyOf(finding));

export const keyOf = ({ kind, start_ns, end_ns, cpu, comm, run }: Finding): string =>
  `${kind} ${start_ns} ${end_ns} ${cpu} ${run?.cpu} ${run?.start_ns} ${comm}`;
