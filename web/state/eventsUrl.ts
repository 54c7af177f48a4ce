/** The list of events in a URL: `events=open&events-cpus=1,4-7&events-task=hack&events-names=sched_switch`. */
import { formatCpuList, parseCpuList } from '../base/cpuList';
import type { EventTextMode } from '../engine/protocol';
import { type EventsView, type FollowSelection, initialEvents, MAX_EVENT_NAMES, MAX_FILTER_TEXT } from './events';
import { oneOf, type ReadField } from './urlFields';

const MODES: readonly EventTextMode[] = ['trace-cmd', 'kernel', 'raw'];
const FOLLOWED: readonly FollowSelection[] = ['cpu', 'task'];
const MAX_CPU_LIST = 400;
/** Longer than any name in the kernel; a probe's may be anything else. */
const MAX_EVENT_NAME = 64;

/** Only what differs from the list as it begins. */
export function encodeEvents(events: EventsView): [string, string][] {
  const follow = [events.followWindow ? 'window' : '', events.followSelection === 'off' ? '' : events.followSelection];
  const fields: [string, string][] = [
    ['events', events.open ? 'open' : ''],
    ['events-cpus', formatCpuList(events.cpus)],
    ['events-task', events.task],
    ['events-names', events.names.join(',')],
    ['events-text', events.text],
    ['events-follow', follow.filter(Boolean).join(',')],
    ['events-mode', events.mode === initialEvents.mode ? '' : events.mode],
    ['events-time', events.absoluteTime ? 'absolute' : ''],
  ];
  return fields.filter(([, value]) => value !== '');
}

export function decodeEvents(read: ReadField): EventsView {
  const text = (value: string): string | null => (value.length <= MAX_FILTER_TEXT ? value : null);
  return {
    open: read('events', oneOf(['open', 'closed']), 'closed', 'open or closed') === 'open',
    cpus: read('events-cpus', decodeCpus, [], 'a list of CPUs, like 1,4-7'),
    task: read('events-task', text, '', 'PIDs and beginnings of command names'),
    names: read('events-names', decodeNames, [], `at most ${MAX_EVENT_NAMES} names of events`),
    text: read('events-text', text, '', `at most ${MAX_FILTER_TEXT} characters`),
    ...read('events-follow', decodeFollow, NOTHING_FOLLOWED, 'window, cpu or task'),
    mode: read('events-mode', oneOf(MODES), initialEvents.mode, MODES.join(', ')),
    absoluteTime: read('events-time', oneOf(['absolute', 'relative']), 'relative', 'absolute') === 'absolute',
  };
}

type Followed = Pick<EventsView, 'followWindow' | 'followSelection'>;

const NOTHING_FOLLOWED: Followed = { followWindow: false, followSelection: 'off' };

function decodeFollow(text: string): Followed | null {
  const parts = text.split(',');
  const selections = FOLLOWED.filter((value) => parts.includes(value));
  const known = parts.every((part) => part === 'window' || oneOf(FOLLOWED)(part) !== null);
  return known && selections.length <= 1
    ? { followWindow: parts.includes('window'), followSelection: selections[0] ?? 'off' }
    : null;
}

const decodeCpus = (text: string): readonly number[] | null =>
  text.length <= MAX_CPU_LIST ? parseCpuList(text) : null;

function decodeNames(text: string): readonly string[] | null {
  const names = [...new Set(text.split(','))];
  const fine = names.length <= MAX_EVENT_NAMES && names.every((name) => name !== '' && name.length <= MAX_EVENT_NAME);
  return fine ? names : null;
}
