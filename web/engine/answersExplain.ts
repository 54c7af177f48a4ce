/** Explanations that are answered at once. */
import type { LoadedTrace } from '../wasm/tracecore';
import type { ExplainAnswer, ExplainQuery } from './protocolExplain';

export function explain(trace: LoadedTrace, query: ExplainQuery): ExplainAnswer {
  const { type, cpu, at } = query;
  switch (type) {
    case 'wait':
      return { type, wait: JSON.parse(trace.wait(cpu, at)) };
    case 'placement':
      return { type, placement: JSON.parse(trace.placement(cpu, at)) };
  }
}
