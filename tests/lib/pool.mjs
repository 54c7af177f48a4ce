// @ts-check

import { availableParallelism } from 'node:os';

/**
 * Works on the items in their order, as many at once as the machine has cores. Programs that are started take most of
 * the time, so one thread here keeps all cores busy.
 *
 * @template T
 * @param {Iterable<T>} items
 * @param {(item: T) => Promise<void>} work
 */
export async function inPool(items, work) {
  const waiting = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}
