/** The events worker: opens the same file again and lists its events. */
import init, { type Events, type EventsFile, listedAs, openForEvents } from '../wasm/io';
import { BlockReader, cacheForRows, prepareBytes, sliceOf } from './blobReader';
import { transferOf } from './buffers';
import { engineErrorOf, internalError } from './errors';
import type { EventsReply, EventsRequest, EventsStart } from './eventsHost';
import { type Ahead, EventsTurns } from './eventsTurns';
import { live } from './life';
import type { EventsAnswer } from './protocol';
import { ReadAhead, readPart } from './readAhead';
import { Seekers } from './seekers';
import { taskLoop } from './taskLoop';
import { compileIo } from './wasmModule';
import { helperScope } from './workerScope';

const scope = helperScope<EventsRequest, EventsReply>();

let opening: Promise<EventsFile> | null = null;
let events: Events | null = null;
/** null: the events are in memory. */
let ahead: Ahead | null = null;
let names: Extract<EventsRequest, { type: 'names' }> | null = null;
let seekers: Seekers | null = null;
const alive = live(self.name);
const turns = new EventsTurns((reply) => scope.postMessage(reply, transferOf(reply)));
const askForTurn = taskLoop(() => turns.turn());

/** From how many reads on for a question they are made as one. */
const MANY_READS = 6;

async function open({ blob, baseNs, cpus, hasText }: EventsStart): Promise<EventsFile> {
  await alive;
  const [module] = await Promise.all([compileIo(), prepareBytes(blob)]);
  await init({ module_or_path: module });
  const file = new BlockReader(blob, cacheForRows(cpus));
  if (!hasText) return openListed(file, baseNs);
  const parts = new ReadAhead(([start, length]) => readPart(sliceOf(blob, start, start + length)), askForTurn);
  ahead = {
    want: (wanted) => parts.want(wanted),
    // A few are read block by block, with what is beside them.
    prefetch: (ranges) => file.prefetch(ranges.length < MANY_READS ? [] : ranges),
  };
  const readAt = (offset: number, length: number) => parts.take(offset, length) ?? file.readAt(offset, length);
  return openForEvents({ size: file.size, readAt }, baseNs);
}

/** Of another format: its events as a trace.dat in memory. */
function openListed(file: BlockReader, baseNs: string): EventsFile {
  const listed = listedAs(file);
  const bytes = listed.takeBytes();
  const readAt = (offset: number, length: number) => bytes.subarray(offset, offset + length);
  const opened = openForEvents({ size: bytes.length, readAt }, baseNs);
  for (let index = listed.takeIndex(); index !== undefined; index = listed.takeIndex()) opened.add(index);
  listed.free();
  return opened;
}

/** The systems of the trace's events, each once. */
function systemsOf(list: Events): readonly string[] {
  const answer = list.ask(JSON.stringify({ type: 'event_names' }), 0);
  const found = answer === undefined ? null : (JSON.parse(answer) as EventsAnswer);
  return found?.type === 'event_names' ? [...new Set(found.names.map(({ system }) => system))] : [];
}

/** The seekers that were asked for are there, and are told what they have to know. */
function help(ports: readonly MessagePort[]): void {
  const list = events;
  if (list === null || names === null) return;
  seekers = new Seekers(ports, (handed, words) => {
    try {
      list.found(handed, words ?? undefined);
    } catch (error) {
      fail(error);
    }
    askForTurn();
  });
  for (let place = 0; ; place++) {
    const index = list.index(place) as Uint8Array<ArrayBuffer> | undefined;
    if (index === undefined) break;
    seekers.tell({ type: 'index', index });
  }
  const { pids, comms } = names;
  seekers.tell({ type: 'list', pids, comms });
  turns.help(seekers);
}

async function take(request: Exclude<EventsRequest, { type: 'start' | 'query' }>): Promise<void> {
  if (opening === null) throw internalError('events were asked for before the file was opened');
  const file = await opening;
  switch (request.type) {
    case 'index':
      file.add(new Uint8Array(request.index));
      return;
    case 'list':
      events = file.list();
      return;
    case 'names':
      names = request;
      events?.learnNames(request.pids, [...request.comms]);
      if (events !== null) {
        turns.start(events, ahead);
        scope.postMessage({ type: 'listed', systems: systemsOf(events) }, []);
      }
      askForTurn();
      return;
    case 'seekers':
      help(request.ports);
      return;
    case 'seekerLost':
      seekers?.lost(request.place);
  }
}

/** Answers every query with the error that prevents a list. */
function fail(error: unknown): void {
  turns.fail(engineErrorOf(error));
}

scope.onmessage = ({ data }) => {
  switch (data.type) {
    case 'start':
      opening = open(data);
      opening.catch(fail);
      return;
    case 'query':
      turns.push(data);
      askForTurn();
      return;
    case 'index':
    case 'list':
    case 'names':
    case 'seekers':
    case 'seekerLost':
      take(data).catch(fail);
  }
};
