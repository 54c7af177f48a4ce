/** Turns queries into jobs of the wasm side, and their results into answers: JSON with arrays of numbers beside it. */
import type { Answered, LoadedTrace, TraceLoader, Job as WasmJob } from '../wasm/engine';
import type { TraceAnswer, TraceQuery } from './protocol';
import type { Job } from './turns';

const NO_BYTES = new Uint8Array();

/** A query as the wasm side reads it: `{"chain": {...}}`. */
function asText({ type, ...asked }: { readonly type: TraceQuery['type']; readonly text?: unknown }): string {
  return JSON.stringify({ [type]: asked });
}

/** Begins to answer from the opened trace; throws the wasm side's error if it refuses the query. */
export function jobOf(trace: LoadedTrace, query: TraceQuery): Job {
  if (query.type === 'parse_topology' && typeof query.text !== 'string') {
    const { text } = query;
    return job(trace.ask(asText({ ...query, text: null }), text));
  }
  if (query.type === 'filter_runs') {
    const { words, ...asked } = query;
    return job(trace.ask(asText(asked), new Uint8Array(words.buffer)));
  }
  return job(trace.ask(asText(query), NO_BYTES));
}

/** Begins to answer from the CPUs that have been scanned so far; null where they hold no answer. */
export function previewJobOf(loader: TraceLoader, query: TraceQuery): Job | null {
  const found = loader.ask(asText(query));
  return found === undefined ? null : job(found);
}

function job(wasm: WasmJob): Job {
  return {
    isUrgent: wasm.isUrgent,
    step: () => wasm.step(),
    share: () => wasm.share(),
    partial: () => {
      const text = wasm.partial();
      return text === undefined ? null : JSON.parse(text);
    },
    answer: () => answerOf(wasm.answer()),
    free: () => wasm.free(),
  };
}

function answerOf(answered: Answered): TraceAnswer {
  const answer = JSON.parse(answered.json());
  const buffers = answered.buffers();
  answered.free();
  const [values] = buffers;
  return values === undefined ? answer : { ...answer, values };
}
