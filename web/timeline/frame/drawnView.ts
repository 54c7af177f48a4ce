/** Which parts of the view panes draw, and so what a change of it redraws. Pure. */
import type { CallsView } from '../../state/calls';
import type { ViewState } from '../../state/viewState';
import type { Layer } from './frameLoop';

/**
 * What only lists and tabs of the page show; a part that is not named here is drawn. Where one of these changes answers
 * of the engine, as the choice of findings does, the engine's revision tells.
 */
const UNDRAWN = [
  'events',
  'tab',
  'findings',
  'latency',
  'schedExt',
  'pairs',
  'relations',
  'table',
] as const satisfies readonly (keyof ViewState)[];
const undrawn: ReadonlySet<keyof ViewState> = new Set(UNDRAWN);

/** What panes see of the view, so that none can draw what is not redrawn. */
export type DrawnView = Omit<ViewState, (typeof UNDRAWN)[number] | 'calls'> & {
  readonly calls: Pick<CallsView, 'hidden'>;
};

/** What shows which events pass the filter. Lanes and curves change when their runs are known: who types does not wait for these. */
const FILTERED: readonly Layer[] = ['request', 'overlay', 'overview'];

/** What has to be redrawn after a change of the view; what is typed into a list of the page redraws nothing. */
export function changedLayers(before: ViewState, after: ViewState): readonly Layer[] {
  const parts = Object.keys(after) as (keyof ViewState)[];
  const changed = parts.filter((part) => !undrawn.has(part) && isOther(part, before, after));
  if (changed.length === 0) return [];
  return changed.every((part) => part === 'filter') ? FILTERED : ['window'];
}

/** Parts never change in place. */
const isOther = (part: keyof ViewState, before: ViewState, after: ViewState): boolean =>
  part === 'calls' ? before.calls.hidden !== after.calls.hidden : before[part] !== after[part];
