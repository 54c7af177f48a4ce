import { expect, test } from 'vitest';
import { ns } from '../base/units';
import { reduce } from './reduce';
import { initialTopology, keepTopology, keptTopology } from './topology';
import { decodeFragment, encodeFragment } from './url/codec';
import { freeText } from './url/fields';
import { initialView, noLimits, type ViewState } from './viewState';

const clock = { baseNs: 0n, isNs: true };
const trace = { name: 'a.dat', fingerprint: 'ab' };
const limits = { ...noLimits, span: ns(1000), lanes: 32 };

const withTopology = (change: Partial<ViewState['topology']>): ViewState =>
  reduce(initialView, { type: 'topology', change }, limits);

test('the topology and what is shown of it are in the URL, readable; nothing when nothing is known', () => {
  const view = withTopology({ text: 'socket:0-15.32-47*2~16,core:0.32*32~1', order: 'number', moves: false });
  const fragment = encodeFragment(view, trace, clock);
  expect(fragment).toContain('topology=socket:0-15.32-47*2~16,core:0.32*32~1&order=number&moves=0');
  expect(decodeFragment(fragment).link?.view.topology).toEqual(view.topology);
  expect(encodeFragment(initialView, trace, clock)).not.toMatch(/topology|order|moves/);
});

test('what is bad in the URL is said, and the rest applies', () => {
  const { link, problems } = decodeFragment(`#v=1&topology=2x4x2&order=size&moves=maybe`);
  expect(link?.view.topology).toEqual({ ...initialTopology, text: '2x4x2' });
  expect(problems).toEqual([
    '“order” in the URL was ignored: expected topology, number, activity, list.',
    '“moves” in the URL was ignored: expected 0 or 1.',
  ]);
  expect(decodeFragment(`#v=1&topology=${'0.'.repeat(400)}`).problems).toHaveLength(1);
});

test('a text that would not fit into a URL leaves the view as it is', () => {
  expect(withTopology({ text: '1.'.repeat(1000) })).toBe(initialView);
  expect(freeText(initialView)).toBe(0);
});

test('the browser keeps one text for each trace', () => {
  const held = new Map<string, string>();
  const storage = {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
  };
  keepTopology(storage, 'ab', '2x4x2');
  keepTopology(storage, 'cd', '1x8x1');
  expect(keptTopology(storage, 'ab')).toBe('2x4x2');
  keepTopology(storage, 'ab', '');
  expect(keptTopology(storage, 'ab')).toBe('');
  expect(keptTopology(storage, 'cd')).toBe('1x8x1');
  expect(keptTopology(undefined, 'cd')).toBe('');
});
