import type { Ns } from '../base/units';
import { timeOrigin } from '../state/viewState';
import { usePage, useView } from './context';

/** The time 0 of the axis. */
export function useOrigin(): Ns {
  const { store } = usePage();
  return useView((view) => timeOrigin(view, store.getLimits()));
}
