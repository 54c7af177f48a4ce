/** A worker that answers from a model it was given, as the worker sees it; `modelHost.ts` is the other side. */
import { transferOf } from './buffers';
import { engineErrorOf } from './errors';
import { live } from './life';
import type { ModelReply, ModelRequest } from './modelHost';
import { taskLoop } from './taskLoop';
import { type Job, Turns } from './turns';
import { helperScope } from './workerScope';

/**
 * Answers queries in turns from the first message on. `open` loads what answers them, and returns what begins to answer one:
 * that throws the wasm side's error if it refuses it.
 */
export function serveModel<Start, Query extends { readonly type: string }, Answer>(
  open: (given: Start) => Promise<(query: Query) => Job<Answer>>,
): void {
  const scope = helperScope<ModelRequest<Start, Query>, ModelReply<Answer>>();
  const alive = live(self.name);
  const turns = new Turns<Query, Answer>((message) => {
    if (message.type === 'failed') scope.postMessage({ type: 'stopped', error: message.error }, []);
    else scope.postMessage(message, transferOf(message));
  });
  const askForTurn = taskLoop(() => {
    turns.turn();
    return turns.busy;
  });
  const start = async (given: Start): Promise<void> => {
    try {
      await alive;
      turns.open(await open(given));
      askForTurn();
    } catch (error) {
      scope.postMessage({ type: 'stopped', error: engineErrorOf(error) }, []);
    }
  };
  scope.onmessage = ({ data }) => {
    if (data.type === 'start') {
      start(data);
    } else {
      turns.push(data);
      askForTurn();
    }
  };
}
