/** The figures worker: a wasm module of its own, which draws the trace whose model it was given. */
import init, { FigureSource, type Making } from '../wasm/figures';
import { engineErrorOf } from './errors';
import { type FiguresReply, type FiguresRequest, filesOf } from './figuresHost';
import { live } from './life';
import type { FigureAnswer, FigureQuery } from './protocol';
import { taskLoop } from './taskLoop';
import { type Job, Turns } from './turns';
import { compileFigures } from './wasmModule';
import type { WorkerScope } from './workerScope';

const scope = self as unknown as WorkerScope<FiguresRequest, FiguresReply>;

const alive = live(self.name);
const turns = new Turns<FigureQuery, FigureAnswer>((message) => {
  if (message.type === 'failed') scope.postMessage({ type: 'stopped', error: message.error }, []);
  else scope.postMessage(message, message.type === 'answer' ? filesOf(message.answer) : []);
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
    await init({ module_or_path: await compileFigures() });
    const source = new FigureSource(model);
    turns.open((query) => jobOf(source, query));
    askForTurn();
  } catch (error) {
    scope.postMessage({ type: 'stopped', error: engineErrorOf(error) }, []);
  }
}

/** Begins to make a figure; throws the wasm side's error if it refuses the query. */
function jobOf(source: FigureSource, query: FigureQuery): Job<FigureAnswer> {
  const { type: _, ...request } = query;
  const making = source.make(JSON.stringify(request));
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
  const answer: FigureAnswer = { ...JSON.parse(figure.json()), query, files, preview };
  figure.free();
  return answer;
}
