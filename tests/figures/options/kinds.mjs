// @ts-check
// Task lanes, the wakeup extract and the bars of run times.

import { compareLists } from '../exact.mjs';
import { apply, box, inherited, matrixOf, ofClass, outlines } from '../svg.mjs';

/**
 * @typedef {import('./index.mjs').Case} Case
 * @typedef {import('../bench.mjs').Bench} Bench
 */

/** @type {Case[]} */
export const kindCases = [
  {
    name: 'run-times with groups',
    test: async (bench) => {
      const names = [
        'barrier128-after-sleep',
        'barrier32-badplace',
        'b510-barrier-8cpu',
        'offline-4cpu',
        'forkpipe-8cpu',
      ];
      const traces = await Promise.all(names.map((name) => bench.trace(name)));
      const groups = ['--group', 'Barriers=barrier', '--group', 'Others=cpu.dat'];
      for (const options of [[], ['--after-sleep'], ['--after-sleep', '--forked']]) {
        const figure = await bench.picture('run-times', ...traces.map(({ path }) => path), ...groups, ...options);
        const expected = traces.map(({ path, derived: { report, story, afterSleep } }) => {
          const zero = (options.includes('--after-sleep') && afterSleep) || report.first;
          const runs = story.runs.filter(
            ({ task, end }) => zero < end && (!options.includes('--forked') || task.forked),
          );
          const last = Math.max(...runs.map(({ end }) => end));
          return { path, ns: last - zero, group: path.includes('barrier') ? 'Barriers' : 'Others' };
        });
        const bars = ofClass(figure.root, 'bar').map((group) => {
          const boxes = [...outlines(group)].map(({ element, outline }) =>
            box(outline.map((point) => apply(matrixOf(element), point))),
          );
          const [{ left, top, bottom }] = boxes;
          const data = (/** @type {string} */ name) => inherited(group, `data-${name}`);
          return { path: data('file'), ns: Number(data('run-ns')), group: data('group'), left, height: bottom - top };
        });
        const line = (
          /** @type {{path: string | undefined, ns: number, group: string | undefined}} */ { path, ns, group },
        ) => `${group} ${path} ${ns}`;
        compareLists(bench.differences, `bars ${options.join(' ')}`, expected.map(line), bars.map(line));
        // As high as they say, and sorted within a group.
        const perNs = bars[0].height / bars[0].ns;
        for (const { path, ns, height } of bars) {
          bench.expect(`height of ${path}`, true, Math.abs(height - ns * perNs) < 0.01 || `${height} of ${ns * perNs}`);
        }
        for (const group of ['Barriers', 'Others']) {
          const own = bars.filter((bar) => bar.group === group).sort((a, b) => a.left - b.left);
          bench.expect(
            `${group} ascend`,
            own.map(({ ns }) => ns).sort((a, b) => a - b),
            own.map(({ ns }) => ns),
          );
        }
        for (const group of ['Barriers', 'Others']) {
          bench.expect(
            `${group} is named`,
            true,
            figure.texts.some(({ text }) => text.includes(group)),
          );
        }
      }
    },
  },
];
