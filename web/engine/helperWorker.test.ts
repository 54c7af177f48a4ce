import { afterEach, expect, test, vi } from 'vitest';
import { HelperWorker } from './helperWorker';
import type { HelperMessage } from './protocolHelpers';
import { helperScope } from './workerScope';

afterEach(() => vi.unstubAllGlobals());

test('the page is asked for a worker, which then talks to the engine worker through the port', async () => {
  const asked: HelperMessage[] = [];
  vi.stubGlobal('self', { postMessage: (message: HelperMessage) => asked.push(message) });
  const helper = new HelperWorker<readonly number[], readonly number[]>('scan', 'a scan');
  const answer = new Promise<readonly number[]>((resolve) => {
    helper.onmessage = ({ data }) => resolve(data);
  });
  // What is said before the worker runs is not lost.
  helper.postMessage([1, 2]);
  const [start] = asked;
  if (start?.type !== 'startHelper') throw new Error('no worker was asked for');
  expect(start).toMatchObject({ kind: 'scan', name: 'a scan' });

  const global: { onmessage: ((event: { data: MessagePort }) => void) | null } = { onmessage: null };
  vi.stubGlobal('self', global);
  const scope = helperScope<readonly number[], readonly number[]>();
  scope.onmessage = ({ data }) => scope.postMessage([...data, 3], []);
  global.onmessage?.({ data: start.port });
  expect(await answer).toEqual([1, 2, 3]);

  helper.terminate();
  expect(asked.slice(1)).toEqual([{ type: 'endHelper', id: start.id }]);
});

test('what the page tells of a worker is an error of that one, as long as it lives', () => {
  const asked: HelperMessage[] = [];
  vi.stubGlobal('self', { postMessage: (message: HelperMessage) => asked.push(message) });
  vi.stubGlobal(
    'ErrorEvent',
    class extends Event {
      readonly message: string;
      constructor(type: string, { message }: { readonly message: string }) {
        super(type);
        this.message = message;
      }
    },
  );
  const helper = new HelperWorker<never, never>('events', 'events');
  const errors: string[] = [];
  helper.onerror = ({ message }) => errors.push(message);
  const id = asked[0]?.id ?? -1;
  HelperWorker.failed({ type: 'helperFailed', id: id + 1, what: 'another' });
  HelperWorker.failed({ type: 'helperFailed', id, what: 'this one' });
  helper.terminate();
  HelperWorker.failed({ type: 'helperFailed', id, what: 'too late' });
  expect(errors).toEqual(['this one']);
});
