// @ts-check
// Options that say how a figure is laid out.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../lib/build.mjs';
import { compareCpus, compareTimes, laneOf } from '../axes.mjs';
import { compareCurves, compareLanes } from '../exact.mjs';
import { refusal } from '../figure.mjs';
import { compareMergedCurve, compareMergedLanes } from '../merged.mjs';
import { apply, inherited, matrixOf, ofClass, outlines, texts } from '../svg.mjs';

/** @typedef {import('./index.mjs').Case} Case */

const TOPOLOGY = path.join(ROOT, 'tests/fixtures/topology/sockets2x4x2.lscpu');

/**
 * The texts of a class in an element, with their places.
 *
 * @param {import('../svg.mjs').Element} element
 * @param {string} kind
 */
function labels(element, kind) {
  const all = ofClass(element, kind).flatMap((group) => texts(group));
  // The parts of a group may have its class too.
  return [...new Map(all.map((text) => [text.element, text])).values()];
}

/** @type {Case[]} */
export const layoutCases = [
  {
    name: 'axes: times and CPUs are where they are drawn',
    test: async (bench) => {
      for (const [fixture, args] of /** @type {const} */ ([
        ['barrier128-after-sleep', ['--after-sleep']],
        ['barrier32-badplace', ['--min', '6.5', '--max', '6.5004']],
        ['forkpipe-8cpu', ['--top-down', '--min', '0.2']],
      ])) {
        const { path, derived } = await bench.trace(fixture);
        const figure = await bench.picture('timeline', path, ...args);
        const zero =
          derived.report.origin + BigInt((args[0] === '--after-sleep' && derived.afterSleep) || derived.report.first);
        const [lanes] = figure.lanes();
        compareTimes(
          bench.differences,
          fixture,
          labels(figure.root, 'time-label'),
          figure.said('axis-title'),
          lanes,
          zero,
        );
        compareCpus(bench.differences, fixture, labels(figure.root, 'cpu-label'), lanes);
        for (const { mm, cpu } of lanes.pieces) {
          const { top, bottom } = laneOf(lanes, cpu);
          bench.expect('inside its lane', true, top - 1e-6 <= mm.top && mm.bottom <= bottom + 1e-6);
          bench.expect('on the paper', true, 0 <= mm.left && mm.right <= figure.paper.width);
        }
      }
    },
  },
  {
    name: 'option --top-down',
    test: async (bench) => {
      const { path, derived } = await bench.trace('forkpipe-8cpu');
      const up = (await bench.picture('timeline', path)).lanes()[0];
      const down = (await bench.picture('timeline', path, '--top-down')).lanes()[0];
      bench.expect('CPU 0 lowest', [7, 6, 5, 4, 3, 2, 1, 0], up.rows);
      bench.expect('CPU 0 on top', [0, 1, 2, 3, 4, 5, 6, 7], down.rows);
      bench.expect('the first row is on top', true, down.y(0) < down.y(100) && up.y(0) < up.y(100));
      compareLanes(bench.differences, 'top down', derived, {}, down);
    },
  },
  {
    name: 'option --socket-order',
    test: async (bench) => {
      // The sockets alternate: even CPUs are on one, odd CPUs on the other.
      const turns = `${Array.from({ length: 8 }, (_, cpu) => `${cpu},${cpu},${cpu % 2},0`).join('\n')}\n`;
      const { path, derived } = await bench.trace('forkpipe-8cpu');
      const figure = await bench.picture('timeline', path, '--socket-order', turns);
      const order = [0, 2, 4, 6, 1, 3, 5, 7];
      bench.expect('even ones first, from below', [...order].reverse(), figure.lanes()[0].rows);
      compareLanes(bench.differences, '--socket-order', derived, {}, figure.lanes()[0]);
      compareCpus(bench.differences, '--socket-order', labels(figure.root, 'cpu-label'), figure.lanes()[0]);
      const sockets = labels(figure.root, 'bracket').map(({ text }) => text);
      bench.expect('brackets', 2, sockets.length);
      const down = await bench.picture('timeline', path, '--socket-order', turns, '--top-down');
      bench.expect('even ones first, from above', order, down.lanes()[0].rows);
      // From a file: 16 CPUs in all, of which the trace has 8, all on the first socket, two in each core.
      const file = await bench.picture('timeline', path, '--socket-order', `@${TOPOLOGY}`, '--top-down');
      const listed =
        readFileSync(TOPOLOGY, 'utf8')
          .match(/^\d+,/gm)
          ?.map((cpu) => Number.parseInt(cpu, 10)) ?? [];
      bench.expect('as in the file', listed.slice(0, 8), file.lanes()[0].rows);
    },
  },
  {
    name: 'options --width and --height',
    test: async (bench) => {
      const { path, derived } = await bench.trace('forkpipe-8cpu');
      for (const [width, height] of [
        [85, 60],
        [178, 120.5],
        [300, 200],
      ]) {
        const figure = await bench.picture('timeline', path, '--width', `${width}`, '--height', `${height}`);
        bench.expect('mm', [width, height], [figure.paper.width, figure.paper.height]);
        const { viewBox } = figure.paper;
        bench.expect('one unit is one mm', { left: 0, top: 0, width, height }, viewBox);
        compareLanes(bench.differences, `${width}`, derived, {}, figure.lanes()[0]);
        for (const { x, y, text } of figure.texts) {
          bench.expect(`"${text}" is on the paper`, true, 0 <= x && x <= width && 0 < y && y <= height);
        }
      }
      const curve = await bench.picture('running-waiting', path, '--width', '85', '--height', '40');
      bench.expect('mm', [85, 40], [curve.paper.width, curve.paper.height]);
      compareCurves(bench.differences, '85 mm', derived, {}, curve.curves()[0]);
      bench.expect('width unless told', 178, (await bench.picture('timeline', path)).paper.width);
    },
  },
  {
    name: 'option --title',
    test: async (bench) => {
      const { path } = await bench.trace('forkpipe-8cpu');
      const title = 'Shell pipelines <& "8" CPUs> — naïve';
      const figure = await bench.picture('timeline', path, '--title', title);
      bench.expect('as a text', [title], figure.said('title'));
      bench.expect('as the title of the file', true, figure.about('title')?.includes(title));
      bench.expect('without', [], (await bench.picture('timeline', path)).said('title'));
    },
  },
  {
    name: 'option --dot',
    test: async (bench) => {
      const { path, derived } = await bench.trace('lost-s390x');
      for (const dot of [0.1, 0.25, 1]) {
        const figure = await bench.picture('timeline', path, '--dot', `${dot}`, '--with', 'running-waiting');
        bench.expect('dot', dot, figure.lanes()[0].dot);
        compareMergedLanes(bench.differences, `dot ${dot}`, derived, {}, figure.lanes()[0]);
        compareMergedCurve(bench.differences, `dot ${dot}`, derived, {}, figure.curves()[0]);
        const said = figure.texts.map(({ text }) => text).filter((text) => text.includes('merged'));
        bench.expect('small print', true, said.length > 0 && said.every((text) => text.includes(`${dot} mm`)));
      }
      const exact = await bench.picture('timeline', path);
      bench.expect(
        'nothing is merged',
        [],
        exact.texts.filter(({ text }) => text.includes('merged')),
      );
    },
  },
  {
    name: 'option --mark',
    test: async (bench) => {
      const { path, derived } = await bench.trace('forkpipe-8cpu');
      const { origin, first } = derived.report;
      const [a, b] = [first + 250_000_000, first + 912_345_678].map((t) => origin + BigInt(t));
      const figure = await bench.picture('timeline', path, '--mark', `A=${seconds(a)}`, '--mark', `B=${seconds(b)}`);
      const [lanes] = figure.lanes();
      for (const [name, at] of /** @type {const} */ ([
        ['A', a],
        ['B', b],
      ])) {
        const groups = ofClass(figure.root, 'mark').filter((group) => inherited(group, 'data-name') === name);
        bench.expect(`mark ${name} at`, [...new Set(groups.map((group) => inherited(group, 'data-at-ns')))], [`${at}`]);
        bench.expect(
          `mark ${name} says`,
          true,
          groups.flatMap(texts).some(({ text }) => text.startsWith(name)),
        );
        const lines = groups.flatMap((group) => [...outlines(group)]).filter(({ closed }) => !closed);
        bench.expect(`mark ${name} has a line`, true, lines.length > 0);
        for (const { element, outline } of lines) {
          const xs = outline.map((point) => apply(matrixOf(element), point)[0]);
          bench.expect(
            `mark ${name} is at its time`,
            true,
            xs.every((x) => Math.abs(x - lanes.mm(at)) < 0.02),
          );
        }
      }
      // B - A, computed by hand: 912.345678 ms - 250 ms.
      const distances = figure.said('mark-distance');
      bench.expect(
        'their distance',
        true,
        (distances.length > 0 &&
          distances.every((text) => /662\.345678 ms|0\.662345678 s|662\.35 ms|662\.3 ms/.test(text))) ||
          distances,
      );
    },
  },
  {
    name: 'option --note',
    test: async (bench) => {
      const { path, derived } = await bench.trace('forkpipe-8cpu');
      const { origin, first } = derived.report;
      const at = origin + BigInt(first + 700_000_000);
      const args = ['--note', `${seconds(at)}=pause & <resume>`, '--note', `3@${seconds(at + 1n)}=here`];
      const figure = await bench.picture('timeline', path, ...args);
      const [lanes] = figure.lanes();
      const notes = ofClass(figure.root, 'note').filter(({ name }) => name === 'g');
      const said = notes.map((group) => [
        inherited(group, 'data-at-ns'),
        inherited(group, 'data-cpu'),
        texts(group)[0].text,
      ]);
      said.sort((a, b) => Number(BigInt(a[0] ?? -1) - BigInt(b[0] ?? -1)));
      bench.expect(
        'notes',
        [
          [`${at}`, undefined, 'pause & <resume>'],
          [`${at + 1n}`, '3', 'here'],
        ],
        said,
      );
      // A line leads from the text to the time, and to the middle of the lane.
      for (const group of notes) {
        const points = [...outlines(group)].filter(({ closed }) => !closed).flatMap(({ outline }) => outline);
        const x = lanes.mm(BigInt(inherited(group, 'data-at-ns') ?? -1));
        bench.expect(
          'a line at its time',
          true,
          points.length > 0 && points.every((point) => Math.abs(point[0] - x) < 0.02),
        );
        if (inherited(group, 'data-cpu') === undefined) continue;
        const lowest = Math.max(...points.map(([, y]) => y));
        bench.expect('to the lane', true, Math.abs(lowest - laneOf(lanes, 3).middle) < 0.02 || lowest);
      }
      bench.expect('outside of the trace', 1, (await refusal(bench.binary, ['timeline', path, '--note', '1=x'])).code);
    },
  },
  {
    name: 'option --with running-waiting',
    test: async (bench) => {
      const { path, derived } = await bench.trace('barrier32-badplace');
      const figure = await bench.picture('timeline', path, '--with', 'running-waiting', '--min', '6', '--max', '7');
      const selection = { from: derived.report.first + 6e9, to: derived.report.first + 7e9 };
      compareLanes(bench.differences, 'lanes', derived, selection, figure.lanes()[0]);
      compareCurves(bench.differences, 'curves', derived, selection, figure.curves()[0]);
      const [lanes, curve] = ['lanes', 'curve'].map((kind) => ofClass(figure.root, kind)[0]);
      const [a, b] = [lanes, curve].map((group) => {
        const shape = outlines(group).next().value;
        return shape ? matrixOf(shape.element) : undefined;
      });
      // The units may differ, but not the time scale.
      bench.expect('left edge', a?.[4], b?.[4]);
      bench.expect('scale', a?.[0], b?.[0]);
      bench.expect('without it', 0, (await bench.picture('timeline', path)).curves().length);
      const label = figure.said('cpus-line');
      bench.expect(
        'the dotted line says how many CPUs',
        true,
        label.some((text) => /\b32\b/.test(text)),
      );
    },
  },
];

/** @param {bigint} ns */
export function seconds(ns) {
  return `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}`;
}
