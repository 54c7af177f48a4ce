/** The studies worker: a wasm module of its own, with questions about the trace whose model it was given. */
import init, { StudySource } from '../wasm/studies';
import { engineErrorOf } from './errors';
import { live } from './life';
import type { StudyAnswer, StudyQuestion } from './protocol';
import type { StudiesReply, StudiesRequest } from './studiesHost';
import { taskLoop } from './taskLoop';
import { type Job, Turns } from './turns';
import { compileStudies } from './wasmModule';
import type { WorkerScope } from './workerScope';

const scope = self as unknown as WorkerScope<StudiesRequest, StudiesReply>;

const alive = live(self.name);
const turns = new Turns<StudyQuestion, StudyAnswer>((message) => {
  if (message.type === 'failed') scope.postMessage({ type: 'stopped', error: message.error }, []);
  else scope.postMessage(message, []);
});

const askForTurn = taskLoop(() => {
  turns.turn();
  return turns.busy;
});

scope.onmessage = ({ data }) => {
  if (data.type === 'start') {
    start(data.model);
  } else {
    turns.push(data);
    askForTurn();
  }
};

async function start(model: Uint8Array<ArrayBuffer>): Promise<void> {
  try {
    await alive;
    await init({ module_or_path: await compileStudies() });
    const source = new StudySource(model);
    turns.open((query) => jobOf(source, query));
    askForTurn();
  } catch (error) {
    scope.postMessage({ type: 'stopped', error: engineErrorOf(error) }, []);
  }
}

/** Begins to answer a query; throws the wasm side's error if it refuses it. */
function jobOf(source: StudySource, { type, ...asked }: StudyQuestion): Job<StudyAnswer> {
  const job = source.ask(JSON.stringify({ [type]: asked }));
  return {
    isUrgent: false,
    step: () => job.step(),
    share: () => job.share(),
    partial: () => null,
    answer: () => JSON.parse(job.answer()),
    free: () => job.free(),
  };
}
