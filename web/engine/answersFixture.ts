/** For tests: the whole engine on a recorded trace, without workers. */
import { readFileSync } from 'node:fs';
import init, { type LoadedTrace, openTrace, type TraceLoader } from '../wasm/engine';
import { jobOf } from './answers';
import type { AnswerTo } from './pending';
import type { TraceQuery } from './protocol';
import type { ScanJob } from './scanPool';
import { describedBy, loaderOf, takeScans } from './sourceFile';

const FIXTURE = new URL('../../tests/fixtures/forkpipe-8cpu.dat', import.meta.url);

export interface Opened {
  readonly trace: LoadedTrace;
  readonly span: number;
  /** The answer, as soon as the engine has worked it out. */
  readonly ask: <Q extends TraceQuery>(query: Q) => AnswerTo<Q>;
}

/** `beforeBuild`: what to do when all CPUs are scanned. */
export async function openFixture(beforeBuild?: (loader: TraceLoader) => void): Promise<Opened> {
  await init({ module_or_path: readFileSync(new URL('../wasm/engine_bg.wasm', import.meta.url)) });
  const bytes = new Uint8Array(readFileSync(FIXTURE));
  const file = {
    size: bytes.length,
    readAt: (offset: number, length: number) => bytes.subarray(offset, offset + length),
  };
  const source = openTrace(file);
  const loader = loaderOf(describedBy(source), JSON.parse(source.description()));
  for (const { index, start, end } of JSON.parse(source.jobs()) as ScanJob[]) {
    const scanner = source.scanner(index);
    // The pieces have an odd size, so that none ends where a page does.
    for (let at = start; at < end; at += 10_007) scanner.push(bytes.subarray(at, Math.min(at + 10_007, end)));
    for (const scan of takeScans(scanner.finish())) loader.add(new Uint8Array(scan));
  }
  beforeBuild?.(loader);
  const trace = loader.trace();
  const ask = <Q extends TraceQuery>(query: Q): AnswerTo<Q> => {
    const job = jobOf(trace, query);
    while (job.step());
    return job.answer() as AnswerTo<Q>;
  };
  return { trace, span: JSON.parse(trace.summary()).span, ask };
}
