/** The calls worker: finds the system calls and interrupts of the trace whose model it was given. */
import init, { type CallsAnswered, CallsLoader, type CallsSource, type CallsJob as WasmJob } from '../wasm/engine';
import type { CallsHostAnswer, CallsHostQuery, CallsStart } from './callsHost';
import { serveModel } from './modelServer';
import type { CallsAnyAnswer } from './protocol';
import type { Job } from './turns';
import { compileEngine } from './wasmModule';

serveModel(async ({ model, logs, machine }: CallsStart) => {
  await init({ module_or_path: await compileEngine() });
  const loader = new CallsLoader(model);
  for (const log of logs) loader.add(new Uint8Array(log));
  const source = loader.build(machine);
  return (query: CallsHostQuery) => (query.type === 'calls_stored' ? storedJobOf(source) : callsJobOf(source, query));
});

function storedJobOf(source: CallsSource): Job<CallsHostAnswer> {
  return {
    isUrgent: false,
    step: () => false,
    share: () => 0,
    partial: () => null,
    answer: () => ({ type: 'calls_stored', bytes: source.stored() as Uint8Array<ArrayBuffer> }),
    free: () => {},
  };
}

type AskedOfCalls = Exclude<CallsHostQuery, { readonly type: 'calls_stored' }>;

/** Begins to answer a query; throws the wasm side's error if it refuses it. */
function callsJobOf(source: CallsSource, { type, words, ...asked }: AskedOfCalls): Job<CallsAnyAnswer> {
  const job = source.ask(JSON.stringify({ [type]: asked }), words ?? new Uint32Array());
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
