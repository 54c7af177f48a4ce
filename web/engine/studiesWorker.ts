/** The studies worker: answers questions about the trace whose model it was given. */
import init, { StudySource } from '../wasm/engine';
import { serveModel } from './modelServer';
import type { StudyQuery, StudyReply } from './protocol';
import type { StudiesStart } from './studiesHost';
import type { Job } from './turns';
import { compileEngine } from './wasmModule';

const NO_WORDS = new Uint32Array();

serveModel(async ({ model }: StudiesStart) => {
  await init({ module_or_path: await compileEngine() });
  const source = new StudySource(model);
  return (query: StudyQuery) => jobOf(source, query);
});

/** Begins to answer a query; throws the wasm side's error if it refuses it. */
function jobOf(source: StudySource, query: StudyQuery): Job<StudyReply> {
  const { type, words, ...asked } = { words: NO_WORDS, ...query };
  const job = source.ask(JSON.stringify({ [type]: asked }), words);
  return {
    isUrgent: false,
    step: () => job.step(),
    share: () => job.share(),
    partial: () => null,
    answer: () => {
      const answered = job.answer();
      const answer = JSON.parse(answered.json());
      const beside = answered.words();
      return type === 'run_places' || type === 'passing_runs' ? { ...answer, words: beside } : answer;
    },
    free: () => job.free(),
  };
}
