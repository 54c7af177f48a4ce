/** The studies worker: a wasm module of its own, with questions about the trace whose model it was given. */
import init, { StudySource } from '../wasm/studies';
import { serveModel } from './modelServer';
import type { StudyAnswer, StudyQuestion } from './protocol';
import type { StudiesStart } from './studiesHost';
import type { Job } from './turns';
import { compileStudies } from './wasmModule';

serveModel(
  async ({ model }: StudiesStart) => {
    await init({ module_or_path: await compileStudies() });
    const source = new StudySource(model);
    return (query: StudyQuestion) => jobOf(source, query);
  },
  () => [],
);

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
