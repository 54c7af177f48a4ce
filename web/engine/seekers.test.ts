import { expect, test } from 'vitest';
import { type SeekerPort, type SeekerReply, type SeekerRequest, Seekers, seekerCount } from './seekers';

class FakePort implements SeekerPort {
  onmessage: SeekerPort['onmessage'] = null;
  readonly requests: SeekerRequest[] = [];
  isClosed = false;

  postMessage(request: SeekerRequest): void {
    this.requests.push(request);
  }

  close(): void {
    this.isClosed = true;
  }

  reply(data: SeekerReply): void {
    this.onmessage?.({ data } as MessageEvent<SeekerReply>);
  }

  get sought(): string[] {
    return this.requests.flatMap((request) => (request.type === 'seek' ? [`${request.id}${request.handed}`] : []));
  }
}

const WORDS = BigUint64Array.of(5n);

function two() {
  const ports = [new FakePort(), new FakePort()] as const;
  const found: (readonly [string, bigint | null])[] = [];
  const seekers = new Seekers(ports, (handed, words) => found.push([handed, words?.[0] ?? null]));
  const parts = 'abcdefghijk'.split('');
  const feed = () => seekers.feed(() => parts.shift());
  return { ports, found, seekers, parts, feed };
}

test('who is ready gets a part, then others, and the next when it answers', () => {
  const { ports, found, parts, feed } = two();
  feed();
  expect(parts).toHaveLength(11);
  for (const port of ports) port.reply('ready');
  feed();
  feed();
  expect(ports.map(({ sought }) => sought)).toEqual([
    ['0a', '2c', '4e', '6g'],
    ['1b', '3d', '5f', '7h'],
  ]);
  ports[1].reply({ id: 3, words: null });
  ports[1].reply({ id: 1, words: WORDS });
  feed();
  expect(found).toEqual([
    ['d', null],
    ['b', 5n],
  ]);
  expect(ports[1].sought.slice(4)).toEqual(['8i', '9j']);
});

test('what a lost one had is given back, and it gets no more', () => {
  const { ports, found, seekers, feed } = two();
  ports[0].reply('ready');
  feed();
  seekers.lost(0);
  expect(found.map(([part]) => part).join('')).toBe('abcd');
  expect(found.every(([, words]) => words === null) && ports[0].isClosed).toBe(true);
  feed();
  seekers.lost(0);
  expect([ports[0].sought.length, ports[1].sought.length, found.length]).toEqual([4, 0, 4]);
});

test('what was looked for without the places of tasks is not told', () => {
  const { ports, found, seekers, feed } = two();
  ports[0].reply('ready');
  feed();
  seekers.learnPlaces(Uint32Array.of(7));
  expect(ports.map(({ requests }) => requests.at(-1)?.type)).toEqual(['places', 'places']);
  ports[0].reply({ id: 0, words: WORDS });
  expect(found).toEqual([]);
  feed();
  expect(ports[0].sought.join(' ')).toBe('0a 1b 2c 3d 4e 5f 6g 7h');
});

test('one core is left to the events worker, and there are no more than four', () => {
  expect([1, 2, 5, 64].map(seekerCount)).toEqual([0, 1, 4, 4]);
});
