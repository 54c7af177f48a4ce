import { expect, test } from 'vitest';
import { type Locks, live, watch } from './life';

/** Locks as a browser grants them: with a delay, to one holder at a time; `end` releases a worker's locks. */
class LateLocks implements Locks {
  readonly #waiting: { readonly name: string; readonly held: () => unknown }[] = [];
  readonly #taken = new Set<string>();

  request(name: string, held: () => unknown): Promise<unknown> {
    this.#waiting.push({ name, held });
    return new Promise(() => undefined);
  }

  grant(): void {
    for (const { name, held } of this.#waiting.splice(0)) {
      if (this.#taken.has(name)) this.request(name, held);
      else {
        this.#taken.add(name);
        held();
      }
    }
  }

  end(name: string): void {
    this.#taken.delete(name);
  }
}

/** A worker that sends `said` as soon as it may, and a page that watches it. */
function start(locks: Locks | null): { readonly events: string[]; readonly settled: () => Promise<void> } {
  const events: string[] = [];
  const target = new EventTarget();
  watch(target as Worker, 'a', () => events.push('ended'), locks);
  void live('a', locks).then(() => {
    events.push('said');
    target.dispatchEvent(new Event('message'));
  });
  return { events, settled: () => new Promise((resolve) => setTimeout(resolve)) };
}

test('a worker says nothing before it holds its lock, and its end is told', async () => {
  const locks = new LateLocks();
  const { events, settled } = start(locks);
  await settled();
  expect(events).toEqual([]);
  locks.grant();
  await settled();
  expect(events).toEqual(['said']);
  locks.grant();
  expect(events).toEqual(['said']);
  locks.end('a');
  locks.grant();
  expect(events).toEqual(['said', 'ended']);
});

test('without locks, or where they are refused, a worker says what it has to say', async () => {
  const refused: Locks = { request: () => Promise.reject(new Error('no storage')) };
  for (const locks of [null, refused]) {
    const { events, settled } = start(locks);
    await settled();
    expect(events).toEqual(['said']);
  }
});
