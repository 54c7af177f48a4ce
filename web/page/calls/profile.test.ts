import { expect, test } from 'vitest';
import type { StaktauText } from '../../engine/protocol';
import { ProfileOwner } from './profile';
import type { readProfiles } from './readProfiles';

const text = { layout: 'tables', threads: [] } as unknown as StaktauText;
const file = (name: string): File => new File([], name);

/** Texts that are read when the test says so, by name; of other files there are none. */
function owner() {
  const reads = new Map<string, () => void>();
  const read: typeof readProfiles = async ([{ name } = file('')]) => {
    await new Promise<void>((resolve) => reads.set(name, resolve));
    return { profile: name.endsWith('.dat') ? null : { name, text }, others: [], problems: [] };
  };
  const profiles = new ProfileOwner(
    () => {},
    async () => ({ readProfiles: read }),
  );
  const end = async (name: string): Promise<void> => {
    await expect.poll(() => reads.has(name)).toBe(true);
    reads.get(name)?.();
  };
  return { profiles, end, shown: () => profiles.profile.get()?.name ?? null };
}

test('of two texts, the one that was opened last is shown, however long the first takes', async () => {
  const { profiles, end, shown } = owner();
  const taken = [profiles.take([file('slow')]), profiles.take([file('quick')])];
  await end('quick');
  expect((await taken[1])?.shown?.name).toBe('quick');
  await end('slow');
  // Nobody hears of it again.
  expect((await taken[0])?.shown).toBeNull();
  expect([shown(), profiles.idle]).toEqual(['quick', true]);
});

test('a trace that is opened after a text does not keep it away', async () => {
  const { profiles, end, shown } = owner();
  const taken = [profiles.take([file('slow')]), profiles.take([file('a.dat')])];
  await end('a.dat');
  await end('slow');
  await Promise.all(taken);
  expect(shown()).toBe('slow');
});
