/** Queries about tasks to calls of the wasm side. */
import type { LoadedTrace } from '../wasm/tracecore';
import type { TasksAnswer, TasksQuery } from './protocolTasks';

export function answerToTasks(trace: LoadedTrace, query: TasksQuery): TasksAnswer {
  const { type } = query;
  switch (type) {
    case 'tasks': {
      const ids = query.ids === null ? undefined : Uint32Array.from(query.ids);
      return { type, tasks: JSON.parse(trace.tasks(ids, query.comm ?? undefined)) };
    }
    case 'taskCells': {
      const { level, firstBucket, buckets, tasks } = query;
      const found = trace.taskCells(level, firstBucket, buckets, Uint32Array.from(tasks));
      const missing = Array.from(found.missing());
      return { type, query, cells: found.takeCells() as Uint32Array<ArrayBuffer>, missing };
    }
    case 'taskRuns': {
      const { tasks, window, minWidth } = query;
      return { type, ...JSON.parse(trace.taskRuns(Uint32Array.from(tasks), window.start, window.end, minWidth)) };
    }
    case 'taskStateAt':
      return { type, interval: JSON.parse(trace.taskStateAt(query.task, query.at)) };
    case 'taskStep':
      return { type, interval: JSON.parse(trace.taskStep(query.task, query.at, query.direction === 1)) };
  }
}
