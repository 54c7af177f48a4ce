import { describe, expect, it } from 'vitest';
import { ns } from '../base/units';
import { reduce } from './reduce';
import {
  formatTasks,
  initialTasks,
  MAX_TASK_PITCH,
  MAX_TASKS,
  MIN_TASK_PITCH,
  parseTasks,
  type TaskKey,
  withComms,
  withoutTasks,
  withTasks,
} from './tasks';
import { decodeFragment } from './url/codec';
import { MAX_FREE_TEXT } from './url/fields';
import { initialView, type Limits } from './viewState';

const limits: Limits = { span: ns(1_000_000_000), afterSleep: null, lanes: 8 };
const task = (pid: number, generation = 0): TaskKey => ({ pid, generation });

describe('lists of tasks', () => {
  it('are written as PIDs, ranges and generations, and read again', () => {
    const tasks = [task(7), task(8), task(9), task(9, 2), task(20), task(22)];
    expect(formatTasks(tasks)).toBe('7-9,20,22,9.2');
    expect(parseTasks('7-9,20,22,9.2')).toEqual(tasks);
    expect(formatTasks([])).toBe('');
  });

  it('of other shapes, or too long, are none', () => {
    for (const text of ['', 'x', '1,', '-3', '5-3', '3.', '3.1-4', '1 2', '123456789']) {
      expect(parseTasks(text), text).toBeNull();
    }
    expect(parseTasks(`1-${MAX_TASKS}`)).toHaveLength(MAX_TASKS);
    expect(parseTasks(`1-${MAX_TASKS + 1}`)).toBeNull();
    expect(parseTasks(`1-${MAX_TASKS},999`)).toBeNull();
  });
});

describe('choosing tasks', () => {
  it('keeps each once, in order', () => {
    const view = withTasks(withTasks(initialTasks, [task(5), task(3)]), [task(5), task(5, 1)]);
    expect(view.tasks).toEqual([task(3), task(5), task(5, 1)]);
    const named = { ...task(9), comm: 'a' };
    expect(withTasks(initialTasks, [named]).tasks).toEqual([task(9)]);
    expect(withComms(withComms(initialTasks, ['a', 'b']), ['b', 'c']).comms).toEqual(['a', 'b', 'c']);
  });

  it('takes a command apart when one of its tasks goes', () => {
    const ofComm = (comm: string): TaskKey[] => (comm === 'a' ? [task(1), task(2), task(3)] : [task(4)]);
    const view = withComms(withTasks(initialTasks, [task(2), task(9)]), ['a', 'b']);
    expect(withoutTasks(view, [task(2)], ofComm)).toEqual({
      ...view,
      tasks: [task(1), task(3), task(9)],
      comms: ['b'],
    });
    expect(withoutTasks(view, [task(9)], ofComm)).toEqual({ ...view, tasks: [task(2)] });
  });

  it('changes nothing when the URL has no room for it', () => {
    const sparse = Array.from({ length: MAX_TASKS }, (_, i) => task(10_000_000 + 2 * i));
    expect(formatTasks(sparse).length).toBeGreaterThan(MAX_FREE_TEXT);
    expect(reduce(initialView, { type: 'tasks', change: withTasks(initialTasks, sparse) }, limits)).toBe(initialView);
    const dense = Array.from({ length: MAX_TASKS }, (_, i) => task(1000 + i));
    const view = reduce(initialView, { type: 'tasks', change: withTasks(initialTasks, dense) }, limits);
    expect(view.tasks.tasks).toHaveLength(MAX_TASKS);
    expect(reduce(view, { type: 'tasks', change: { order: 'pid' } }, limits)).toBe(view);
  });

  it('keeps the height within bounds, and settles to what a URL holds', () => {
    const lanes = (pitch: number, scroll: number) =>
      reduce(reduce(initialView, { type: 'taskLanes', pitch, scroll }, limits), { type: 'settle' }, limits).tasks;
    expect(lanes(1, -4)).toEqual({ ...initialTasks, pitch: MIN_TASK_PITCH, scroll: 0 });
    expect(lanes(1000, 1 / 3)).toEqual({ ...initialTasks, pitch: MAX_TASK_PITCH, scroll: 0.333 });
  });
});

describe('task lanes in a URL', () => {
  const decode = (texts: readonly string[]) => {
    const { link, problems } = decodeFragment(`#v=1${texts.map((text) => `&tasks=${text}`).join('')}`);
    return { view: link?.view.tasks, problems };
  };

  it('apply as far as they are good', () => {
    const { view, problems } = decode(['1,x', 'comm:', '5', 'comm:a']);
    expect(view).toEqual({ ...initialTasks, tasks: [task(5)], comms: ['a'] });
    expect(problems).toHaveLength(1);
    expect(decode(['3-4', 'comm:a,b']).problems).toEqual([]);
  });
});
