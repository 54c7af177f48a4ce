/** The same events in the formats of other tools, beside a trace.dat: how long they take to open, natively and in wasm. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, inflateSync } from 'node:zlib';
import { packedPackets, perfCopies, perfettoCopies } from './copies.mjs';
import { nativeRound, run } from './measure.mjs';
import { short, table } from './report.mjs';
import { wallMs } from './scaling.mjs';
import { schedCopies } from './traces.mjs';

const REPO = join(import.meta.dirname, '..');
/** Recordings that are copied, and their events of the scheduler. */
const COMPACT = { path: join(REPO, 'crates/traceimport/tests/samples/compact-4cpu.pftrace'), events: 10_900 };
const PERF = { path: join(REPO, 'tests/fixtures/import/sched-record-4cpu.perf.data.gz'), events: 1_805 };
/** Million events from which on each measurement is one round. */
const LARGE = 2;
/** Longer than any of them: how much later each copy is. */
const SPAN = 20_000_000_000n;

/**
 * Writes what the packed packets of a Perfetto trace hold.
 * @param {string} from
 * @param {string} to
 */
function unpackPerfetto(from, to) {
  const out = openSync(to, 'w');
  for (const packed of packedPackets(readFileSync(from))) writeSync(out, inflateSync(packed));
  closeSync(out);
}

/**
 * A table of what each format costs.
 * @param {object} of
 * @param {string} of.program
 * @param {string} of.corelane
 * @param {string} of.folder
 * @param {readonly number[]} of.sizes Million events.
 * @param {number} of.rounds
 */
export function formatsTable({ program, corelane, folder, sizes, rounds }) {
  const rows = sizes.flatMap((millions) => {
    const path = (/** @type {string} */ name) => join(folder, name);
    const dat = path('formats.dat');
    schedCopies(dat, millions);
    const copies = (/** @type {number} */ events) => Math.ceil((millions * 1e6) / events);
    /** @type {[string, string, string, (to: string) => void][]} */
    const files = [
      ['trace.dat', dat, 'engine', () => {}],
      [
        'Perfetto, packed',
        path('packed.pftrace'),
        'io',
        (to) => run(corelane, ['export', dat, '--perfetto', to], 'ignore'),
      ],
      ['Perfetto', path('plain.pftrace'), 'io', (to) => unpackPerfetto(path('packed.pftrace'), to)],
      [
        'Perfetto, compact_sched',
        path('compact.pftrace'),
        'io',
        (to) => perfettoCopies(readFileSync(COMPACT.path), to, { copies: copies(COMPACT.events), span: SPAN }),
      ],
      [
        'perf.data',
        path('perf.data'),
        'io',
        (to) => perfCopies(gunzipSync(readFileSync(PERF.path)), to, { copies: copies(PERF.events), span: SPAN }),
      ],
      [
        'text',
        path('text.txt'),
        'io',
        (to) => run('sh', ['-c', '"$1" report -t "$2" > "$3"', 'sh', corelane, dat, to], 'ignore'),
      ],
    ];
    const measured = files.map(([name, file, module, make]) => {
      console.log(`${name}, ${millions} M`);
      make(file);
      const row = measure(`${name}, ${millions} M`, file, module, millions < LARGE ? rounds : 1);
      // The others are made of these.
      if (file !== dat && !name.includes('packed')) rmSync(file);
      return row;
    });
    for (const file of [dat, path('packed.pftrace')]) rmSync(file);
    return measured;
  });
  return table(
    [
      'opening, ms',
      ...[
        'MB',
        'events',
        'open',
        'scan',
        'MB/s',
        'M events/s',
        'build',
        '1 thread, waiting',
        '2 threads, waiting',
        'open and scan in wasm',
      ],
    ],
    rows,
  );

  /**
   * @param {string} name
   * @param {string} file
   * @param {string} module
   * @param {number} times
   */
  function measure(name, file, module, times) {
    const best = (/** @type {() => number} */ ms) => Math.min(...Array.from({ length: times }, ms));
    const all = Array.from({ length: times }, () => nativeRound(program, file, ['--until', 'build']));
    const [first] = all.sort((a, b) => a.scanMs - b.scanMs);
    if (first === undefined) return [name];
    const { bytes, records, openMs = 0, scanMs, buildMs } = first;
    const wasm = best(
      () => JSON.parse(run('node', [join(import.meta.dirname, 'scanRound.mjs'), file, module], 'pipe')).ms,
    );
    const walls = [1, 2].map((threads) => best(() => wallMs(corelane, file, threads)));
    const numbers = [
      bytes / 1e6,
      records,
      openMs,
      scanMs - openMs,
      bytes / 1e3 / (scanMs - openMs),
      records / 1e3 / (scanMs - openMs),
    ];
    return [name, ...[...numbers, buildMs, ...walls, wasm].map(short)];
  }
}
