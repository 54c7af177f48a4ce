/** Job queries to jobs of the wasm side. */
import type { FigureJob, LoadedTrace, Job as WasmJob } from '../wasm/tracecore';
import type { Job } from './jobs';
import type { JobQuery } from './protocolExplain';
import type { FigureAnswer, FigureQuery } from './protocolFigure';

export const jobOf = (trace: LoadedTrace, query: JobQuery): Job =>
  query.type === 'figure'
    ? figureJob(trace.figure(JSON.stringify(query)), query)
    : explanation(trace.job(JSON.stringify(query)));

/** Its answers are JSON. */
function explanation(job: WasmJob): Job {
  return {
    step: () => job.step(),
    share: () => job.share(),
    partial: () => {
      const text = job.partial();
      return text === undefined ? null : JSON.parse(text);
    },
    answer: () => JSON.parse(job.answer()),
    free: () => job.free(),
  };
}

/** Its answer is JSON but for the files, which are the page's own. */
function figureJob(job: FigureJob, query: FigureQuery): Job {
  return {
    step: () => job.step(),
    share: () => job.share(),
    partial: () => null,
    answer: () => {
      const take = (number: number) => job.takeFile(number) as Uint8Array<ArrayBuffer>;
      const files = query.formats.map((_, number) => take(number));
      const preview = take(files.length);
      const about: Pick<FigureAnswer, 'command' | 'width' | 'height' | 'preview_dpi'> = JSON.parse(job.about());
      job.free();
      return { type: 'figure', query, ...about, files, preview };
    },
    free: () => job.free(),
  };
}
