/** What a format has no way to say, in words. Pure. */
import type { Metadata } from '../engine/protocol';

interface Words {
  /** What is not known, in a sentence. */
  readonly what: string;
  /** What is done instead. */
  readonly done: string;
}

/** By the words of `cannot_tell`. */
const WORDS: Readonly<Record<string, Words>> = {
  waker: { what: 'who woke a task', done: 'wakeup chains end as unknown' },
  context: { what: 'whether a task or an interrupt woke', done: 'wakeup chains end as unknown' },
  chosen_cpu: {
    what: 'on which CPU a wakeup put a task',
    done: 'tasks wait from sched_waking on, on the CPU where they were last put before they ran',
  },
  migrations: { what: 'when a task went to another CPU', done: 'migrations are derived from where tasks run' },
  preemption: {
    what: 'whether a task that stayed runnable was preempted or yielded',
    done: 'both count as still runnable',
  },
  loss: { what: 'where events were lost', done: 'a CPU is unknown, and hatched, where its chain of switches breaks' },
};

type Source = Pick<Metadata, 'format' | 'writer' | 'cannot_tell'>;

/** The format, with the program that wrote the file where that matters. */
export const formatInWords = ({ format, writer }: Pick<Source, 'format' | 'writer'>): string =>
  writer === null ? format : `${format}, written by ${writer}`;

/** All that the file has no way to say, as in `who woke a task: wakeup chains end as unknown`. */
export const untold = ({ cannot_tell: words }: Source): readonly string[] =>
  words.map((word) => {
    const known = WORDS[word];
    return known === undefined ? word : `${known.what}: ${known.done}`;
  });

/** A sentence about those of `matters` that the file cannot say; null if it can say all of them. */
export function untoldHere(source: Source, matters: readonly string[]): string | null {
  const found = source.cannot_tell.flatMap((word) => (matters.includes(word) ? (WORDS[word] ?? []) : []));
  if (found.length === 0) return null;
  const what = found.map((words) => words.what);
  const last = what.length > 1 ? `${what.slice(0, -1).join(', ')} and ${what.at(-1)}` : what[0];
  const done = [...new Set(found.map((words) => words.done))].join('; ');
  return `This trace (${formatInWords(source)}) does not say ${last}: ${done}.`;
}

/** Whether the file holds ftrace's records with their formats; of others the scheduler's events are known. */
export const holdsRecords = ({ format }: Pick<Source, 'format'>): boolean =>
  ['trace.dat', 'perf.data', 'schedviz'].includes(format);
