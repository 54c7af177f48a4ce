// @ts-check
// `corelane export --counter`: the numbers on the track of a Perfetto trace are those of the field in trace-cmd's text, by a reader of
// protocol buffers that knows nothing but their wire format.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { build, ROOT } from '../lib/build.mjs';
import { scratchFile } from '../lib/traceFiles.mjs';
import { fixtures } from './sources.mjs';

const corelane = build('tracecore-cli', 'corelane');

// Field numbers: of a trace, its packets; of a packet (trace_packet.proto), of an event (track_event.proto) and of a
// track (track_descriptor.proto) those that are needed.
const PACKET = 1;
const [TIME, EVENT, COMPRESSED, DESCRIPTOR] = [8, 11, 50, 60];
const [TRACK, VALUE] = [11, 30];
const [UUID, NAME] = [1, 2];

/**
 * The fields of a message: numbers, and bytes.
 * @param {Buffer} bytes
 * @returns {Generator<[number, bigint | Buffer]>}
 */
function* fields(bytes) {
  let at = 0;
  const varint = () => {
    let [value, shift] = [0n, 0n];
    for (;;) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      shift += 7n;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const value = varint();
    if ((tag & 7) === 0) {
      yield [tag >> 3, value];
    } else {
      assert.equal(tag & 7, 2, 'a number or bytes');
      yield [tag >> 3, bytes.subarray(at, at + Number(value))];
      at += Number(value);
    }
  }
}

/** @param {Buffer} bytes @param {number} field @returns {any} */
const field = (bytes, field) => [...fields(bytes)].find(([number]) => number === field)?.[1];

/** @param {Buffer} bytes @returns {Generator<Buffer>} */
function* packets(bytes) {
  for (const [number, packet] of fields(bytes)) {
    if (number !== PACKET || typeof packet === 'bigint') continue;
    const compressed = field(packet, COMPRESSED);
    if (compressed === undefined) yield packet;
    else yield* packets(inflateSync(compressed));
  }
}

/**
 * Times and values on a track.
 * @param {Buffer} bytes @param {string} name @returns {string[]}
 */
function trackOf(bytes, name) {
  const all = [...packets(bytes)];
  const descriptors = all.map((packet) => field(packet, DESCRIPTOR)).filter((one) => one !== undefined);
  const track = descriptors.find((one) => `${field(one, NAME)}` === name);
  assert(track, `no track ${name}`);
  return all.flatMap((packet) => {
    const event = field(packet, EVENT);
    if (event === undefined || field(event, TRACK) !== field(track, UUID)) return [];
    return [`${field(packet, TIME)} ${BigInt.asIntN(64, field(event, VALUE))}`];
  });
}

for (const [name, event, of] of [
  ['sysmix-4cpu', 'sys_exit', 'ret'],
  ['timerlat-rt-2cpu', 'timerlat', 'timer_latency'],
]) {
  test(`${event}.${of} of ${name} on a track`, async () => {
    const source = fixtures(path.join(ROOT, 'tests/fixtures')).find((one) => one.name === name);
    assert(source);
    const { trace, dispose } = source.unpack();
    const out = scratchFile('counter.pftrace');
    try {
      /** @type {{at: bigint, text: string}[]} */
      const expected = [];
      const line = new RegExp(String.raw`^.*? (\d+)\.(\d{9}): ${event}: .*\b${of}=(-?(?:0x)?[0-9a-f]+)`);
      await source.report(trace, (text) => {
        const [, whole, fraction, value] = line.exec(text) ?? [];
        if (whole === undefined) return;
        const at = BigInt(whole) * 1_000_000_000n + BigInt(fraction);
        expected.push({ at, text: `${at} ${BigInt.asIntN(64, BigInt(value))}` });
      });
      assert(expected.length > 1000);
      execFileSync(corelane, ['--quiet', 'export', trace, '--perfetto', out.trace, '--counter', `${event}.${of}`]);
      const values = trackOf(readFileSync(out.trace), `${event}.${of}`);
      assert.deepEqual(
        values,
        expected.map(({ text }) => text),
      );
    } finally {
      dispose();
      out.dispose();
    }
  });
}
