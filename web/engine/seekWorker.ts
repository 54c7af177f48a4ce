/** A seeker: a worker that looks at parts of the events worker's filters and searches, in the order in which it is told them. */
import init, { type Events, openForEvents } from '../wasm/io';
import { BlockReader, prepareBytes, sliceOf } from './blobReader';
import { live } from './life';
import { type FilePart, ReadAhead, readPart } from './readAhead';
import type { SeekerReply, SeekerRequest, SeekerStart, SeekerState } from './seekers';
import { taskLoop } from './taskLoop';
import { compileIo } from './wasmModule';
import { helperScope } from './workerScope';

const scope = helperScope<SeekerStart, SeekerState>();
const alive = live(self.name);

interface Asked {
  readonly id: number;
  readonly handed: string;
  readonly part: FilePart;
}

/** What `Events.handOut` returns, as far as it is looked at here. */
interface HandedTurn {
  readonly turn: { readonly file: { readonly start: number; readonly end: number } };
}

async function start({ blob, baseNs, port }: SeekerStart): Promise<void> {
  await alive;
  scope.postMessage('started', []);
  const [module] = await Promise.all([compileIo(), prepareBytes(blob)]);
  await init({ module_or_path: module });
  const asked: Asked[] = [];
  let events: Events | null = null;
  const reply = (message: SeekerReply) =>
    port.postMessage(message, message === 'ready' || message.words === null ? [] : [message.words.buffer]);
  const askForTurn = taskLoop(() => {
    const [first] = asked;
    if (first === undefined || !ahead.want(asked.map(({ part }) => part))) return false;
    asked.shift();
    reply({ id: first.id, words: events === null ? null : seek(events, first.handed) });
    return asked.length > 0;
  });
  const ahead = new ReadAhead(([from, length]) => readPart(sliceOf(blob, from, from + length)), askForTurn);
  const file = new BlockReader(blob);
  const readAt = (offset: number, length: number) => ahead.take(offset, length) ?? file.readAt(offset, length);
  const opened = openForEvents({ size: file.size, readAt }, baseNs);
  port.onmessage = ({ data }: MessageEvent<SeekerRequest>) => {
    switch (data.type) {
      case 'index':
        opened.add(data.index);
        return;
      case 'list':
        events = opened.list();
        events.learnNames(data.pids, [...data.comms]);
        reply('ready');
        return;
      case 'places':
        events?.learnPlaces(data.words);
        return;
      case 'seek': {
        const { turn } = JSON.parse(data.handed) as HandedTurn;
        asked.push({ ...data, part: [turn.file.start, turn.file.end - turn.file.start] });
        askForTurn();
      }
    }
  };
}

/** null: the file cannot be read there, which the events worker finds out again and tells. */
function seek(events: Events, handed: string): BigUint64Array<ArrayBuffer> | null {
  try {
    return events.seek(handed) as BigUint64Array<ArrayBuffer>;
  } catch (error) {
    if (typeof error === 'string') return null;
    // The wasm side was stopped in the middle of its work: it can no longer be asked.
    scope.postMessage('stopped', []);
    throw error;
  }
}

scope.onmessage = ({ data }) => {
  start(data).catch(() => scope.postMessage('stopped', []));
};
