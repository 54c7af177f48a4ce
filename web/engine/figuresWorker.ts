/** The figures worker: draws the trace whose model it was given. */
import init, { FigureSource, type Making } from '../wasm/figures';
import type { FiguresStart } from './figuresHost';
import { serveModel } from './modelServer';
import type { FigureAnswer, FigureQuery } from './protocol';
import type { Job } from './turns';
import { compileFigures } from './wasmModule';

serveModel(async ({ model, calls }: FiguresStart) => {
  await init({ module_or_path: await compileFigures() });
  const source = new FigureSource(model);
  if (calls !== null) source.addCalls(new Uint8Array(await calls.arrayBuffer()));
  return (query: FigureQuery) => jobOf(source, query);
});

/** Begins to make a figure; throws the wasm side's error if it refuses the query. */
function jobOf(source: FigureSource, query: FigureQuery): Job<FigureAnswer> {
  const { type: _, values, words, ...request } = query;
  const passing = (request.figure.filter === null ? undefined : words) ?? new Uint32Array();
  const making = source.make(JSON.stringify(request), values ?? new Float64Array(), passing);
  return {
    isUrgent: false,
    step: () => making.step(),
    share: () => making.share(),
    partial: () => null,
    answer: () => answerOf(making, query),
    free: () => making.free(),
  };
}

function answerOf(making: Making, query: FigureQuery): FigureAnswer {
  const figure = making.answer();
  const buffers = figure.files() as Uint8Array<ArrayBuffer>[];
  const files = buffers.slice(0, query.formats.length);
  const preview = buffers[query.formats.length] ?? new Uint8Array();
  const { values: _, words: __, ...asked } = query;
  const answer: FigureAnswer = { ...JSON.parse(figure.json()), query: asked, files, preview };
  figure.free();
  return answer;
}
