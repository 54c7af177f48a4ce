import { beforeEach, expect, it } from 'vitest';
import { type Observable, observable } from '../base/observable';
import { ns } from '../base/units';
import type { Interval } from '../engine/protocol';
import { noRun, type SelectedRun } from '../state/selectedRun';
import { createStore, type Store } from '../state/store';
import { announceRuns } from './announceRuns';
import type { Page } from './page';

let store: Store;
let run: Observable<SelectedRun>;
let announcement: Observable<string>;

const select = (cpu: number | null, start = 0): void => {
  store.dispatch({ type: 'select', selection: cpu === null ? null : { cpu, start: ns(start) } });
  run.set(cpu === null ? noRun : { ...run.get(), status: 'asking' });
};
const answer = (cpu: number, pid: number): void =>
  run.set({ ...run.get(), status: 'known', interval: { kind: 'run', cpu, pid, comm: 'bash' } as Interval });

beforeEach(() => {
  store = createStore();
  store.setLimits({ span: ns(1000), afterSleep: null, lanes: 4 });
  run = observable<SelectedRun>(noRun);
  announcement = observable('');
  const announce = (text: string): void => announcement.set(text);
  announceRuns({ store, selected: run, announcement, announce } as unknown as Page);
});

it('tells of each run as soon as it is known, and of none that is selected no more', () => {
  select(1);
  expect(announcement.get()).toBe('');
  answer(1, 5);
  expect(announcement.get()).toBe('bash 5 on CPU 1 is selected.');
  select(2, 10);
  answer(2, 6);
  expect(announcement.get()).toBe('bash 6 on CPU 2 is selected.');
  select(null);
  expect(announcement.get()).toBe('No run is selected.');
});

it('leaves what is said of the run when it is selected, and tells of no run twice', () => {
  select(1);
  announcement.set('Finding 1 of 3.');
  answer(1, 5);
  expect(announcement.get()).toBe('Finding 1 of 3.');
  select(2);
  answer(2, 6);
  announcement.set('Link copied.');
  // Another view of the same run.
  run.set({ ...run.get(), status: 'asking' });
  answer(2, 6);
  expect(announcement.get()).toBe('Link copied.');
});
