/** The calls worker: a wasm module of its own, with the system calls and interrupts of the trace whose model it was given. */
import init, { type CallsAnswered, CallsLoader, type CallsSource, type CallsJob as WasmJob } from '../wasm/calls';
import type { CallsReply, CallsRequest, CallsStart } from './callsHost';
import { engineErrorOf } from './errors';
import { live } from './life';
import type { CallsAnyAnswer, CallsAnyQuery } from './protocol';
import { taskLoop } from './taskLoop';
import { type Job, Turns } from './turns';
import { compileCalls } from './wasmModule';
import type { WorkerScope } from './workerScope';

const scope = self as unknown as WorkerScope<CallsRequest, CallsReply>;

const alive = live(self.name);
const turns = new Turns<CallsAnyQuery, CallsAnyAnswer>((message) => {
  if (message.type === 'failed') scope.postMessage({ type: 'stopped', error: message.error }, []);
  else scope.postMessage(message, message.type === 'answer' ? callBuffers(message.answer) : []);
});

const askForTurn = taskLoop(() => {
  turns.turn();
  return turns.busy;
});

scope.onmessage = ({ data }) => {
  if (data.type === 'start') {
    start(data);
  } else {
    turns.push(data);
    askForTurn();
  }
};

async function start({ model, logs, machine }: CallsStart): Promise<void> {
  try {
    await alive;
    await init({ module_or_path: await compileCalls() });
    const loader = new CallsLoader(model);
    for (const log of logs) loader.add(new Uint8Array(log));
    const source = loader.build(machine);
    turns.open((query) => callsJobOf(source, query));
    askForTurn();
  } catch (error) {
    scope.postMessage({ type: 'stopped', error: engineErrorOf(error) }, []);
  }
}

const callBuffers = (answer: CallsAnyAnswer): ArrayBuffer[] => (answer.type === 'tile' ? [answer.values.buffer] : []);

/** Begins to answer a query; throws the wasm side's error if it refuses it. */
function callsJobOf(source: CallsSource, { type, ...asked }: CallsAnyQuery): Job<CallsAnyAnswer> {
  const job = source.ask(JSON.stringify({ [type]: asked }));
  const kind = 'kind' in asked ? asked.kind : null;
  return {
    isUrgent: job.isUrgent,
    step: () => job.step(),
    share: () => job.share(),
    partial: () => null,
    answer: () => answerOf(job, kind),
    free: () => job.free(),
  };
}

function answerOf(job: WasmJob, kind: string | null): CallsAnyAnswer {
  const answered: CallsAnswered = job.answer();
  const answer = JSON.parse(answered.json());
  const [values] = answered.buffers();
  answered.free();
  return { ...answer, ...(kind !== null && { kind }), ...(values !== undefined && { values }) };
}
