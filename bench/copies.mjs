/**
 * Copies of recordings of other tools in time, as long as wanted: what is written there once (tasks, clocks, formats of
 * events) stands in front, and what is repeated has later times. Only what is in such recordings is known here.
 */
import { closeSync, openSync, writeSync } from 'node:fs';

/** @typedef {{ readonly field: number, readonly wire: number, readonly start: number, readonly value: number, readonly end: number, readonly number: bigint }} Field */

/**
 * The varint at a place of the bytes.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @returns {[bigint, number]} It, and where it ends.
 */
function varint(bytes, at) {
  let number = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[at++] ?? 0;
    number |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return [number, at];
  }
}

/** @param {bigint} number */
function toVarint(number) {
  const out = [];
  let rest = number;
  for (; rest > 0x7fn; rest >>= 7n) out.push(Number(rest & 0x7fn) | 0x80);
  out.push(Number(rest));
  return Buffer.from(out);
}

/**
 * The fields of a message of protocol buffers.
 * @param {Uint8Array} bytes
 * @returns {Generator<Field>}
 */
function* fields(bytes) {
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    const [tag, behind] = varint(bytes, at);
    const wire = Number(tag & 7n);
    let [number, value] = wire === 0 || wire === 2 ? varint(bytes, behind) : [0n, behind];
    let end = value;
    if (wire === 2) end += Number(number);
    if (wire === 1) end += 8;
    if (wire === 5) end += 4;
    if (wire === 0) value = behind;
    yield { field: Number(tag >> 3n), wire, start, value, end, number };
    at = end;
  }
}

/**
 * @param {number} field
 * @param {Uint8Array} bytes
 */
const delimited = (field, bytes) =>
  Buffer.concat([toVarint(BigInt(field << 3) | 2n), toVarint(BigInt(bytes.length)), bytes]);

/**
 * The message with other contents of some of its fields.
 * @param {Uint8Array} bytes
 * @param {(field: Field) => bigint | Uint8Array | undefined} change
 */
function changed(bytes, change) {
  const parts = [];
  for (const field of fields(bytes)) {
    const to = change(field);
    if (to === undefined) parts.push(bytes.subarray(field.start, field.end));
    else if (typeof to === 'bigint') parts.push(toVarint(BigInt(field.field << 3)), toVarint(to));
    else parts.push(delimited(field.field, to));
  }
  return Buffer.concat(parts);
}

/**
 * A bundle of events, `by` later.
 * @param {Uint8Array} bundle
 * @param {bigint} by Nanoseconds.
 */
const laterBundle = (bundle, by) =>
  changed(bundle, ({ field, value, end, number }) => {
    // previous_bundle_end_timestamp is 0 in the first.
    if (field === 10) return number === 0n ? undefined : number + by;
    // An event's time is its first field; columns hold differences, the first one from 0.
    if (field === 2)
      return changed(bundle.subarray(value, end), (event) => (event.field === 1 ? event.number + by : undefined));
    if (field !== 4) return undefined;
    const compact = bundle.subarray(value, end);
    return changed(compact, (column) => {
      if (column.field !== 1 && column.field !== 7) return undefined;
      const [first, behind] = varint(compact, column.value);
      return Buffer.concat([toVarint(first + by), compact.subarray(behind, column.end)]);
    });
  });

/**
 * Writes copies of a recording of Perfetto.
 * @param {Uint8Array} recording Its packets are not packed.
 * @param {string} path
 * @param {{ copies: number, span: bigint }} options The span: how much later each copy is than the one before.
 */
export function perfettoCopies(recording, path, { copies, span }) {
  /** @type {Uint8Array[]} */
  const once = [];
  /** @type {Uint8Array[]} */
  const bundles = [];
  for (const { start, value, end } of fields(recording)) {
    const packet = recording.subarray(value, end);
    const bundle = [...fields(packet)].find(({ field, wire }) => field === 1 && wire === 2);
    if (bundle === undefined) once.push(recording.subarray(start, end));
    else bundles.push(packet.subarray(bundle.value, bundle.end));
  }
  const out = openSync(path, 'w');
  for (const packet of once) writeSync(out, packet);
  for (let copy = 0; copy < copies; copy++) {
    const by = span * BigInt(copy);
    writeSync(out, Buffer.concat(bundles.map((bundle) => delimited(1, delimited(1, laterBundle(bundle, by))))));
  }
  closeSync(out);
}

/** perf.data: sections of the header, and types of records. */
const DATA_SECTION = 40;
const SAMPLE = 9;
const FINISHED_ROUND = 68;
/** Of sample_type: what may stand before the time in a sample, 8 bytes each, and the time. */
const BEFORE_TIME = [1n << 16n, 1n << 0n, 1n << 1n];
const TIME = 1n << 2n;

/**
 * Writes copies of a recording of perf whose records are not packed. Behind its data are the sections of features, which
 * move: the data of all copies are put in place of the recording's.
 * @param {Buffer} recording
 * @param {string} path
 * @param {{ copies: number, span: bigint }} options As for Perfetto's.
 */
export function perfCopies(recording, path, { copies, span }) {
  const u64 = (/** @type {number} */ at) => recording.readBigUInt64LE(at);
  const [start, size] = [Number(u64(DATA_SECTION)), Number(u64(DATA_SECTION + 8))];
  const sampleType = u64(Number(u64(24)) + 24);
  if ((sampleType & TIME) === 0n) throw new Error('samples without a time');
  const time = 8 + 8 * BEFORE_TIME.filter((bit) => sampleType & bit).length;
  const data = recording.subarray(start, start + size);
  // Names of tasks and maps are told once.
  const repeated = Buffer.concat(
    [...records(data)].filter(({ type }) => type === SAMPLE || type === FINISHED_ROUND).map(({ bytes }) => bytes),
  );
  const more = BigInt(repeated.length * (copies - 1));
  const head = Buffer.from(recording.subarray(0, start));
  head.writeBigUInt64LE(BigInt(size) + more, DATA_SECTION + 8);
  const tail = Buffer.from(recording.subarray(start + size));
  // The table of sections: one for each bit of the features' bitmap.
  let features = 0;
  for (let at = 72; at < 104; at += 8) {
    for (let bits = u64(at); bits > 0n; bits &= bits - 1n) features++;
  }
  for (let at = 0; at < features * 16; at += 16) tail.writeBigUInt64LE(tail.readBigUInt64LE(at) + more, at);
  const out = openSync(path, 'w');
  writeSync(out, head);
  for (let copy = 0; copy < copies; copy++) {
    const by = span * BigInt(copy);
    const later = Buffer.from(copy === 0 ? data : repeated);
    for (const { type, bytes } of records(later)) {
      if (type === SAMPLE) bytes.writeBigUInt64LE(bytes.readBigUInt64LE(time) + by, time);
    }
    writeSync(out, later);
  }
  writeSync(out, tail);
  closeSync(out);
}

/**
 * The records of perf.data, one after the other.
 * @param {Buffer} data
 */
function* records(data) {
  for (let at = 0; at + 8 <= data.length; ) {
    const length = data.readUInt16LE(at + 6);
    if (length < 8) break;
    yield { type: data.readUInt32LE(at), bytes: data.subarray(at, at + length) };
    at += length;
  }
}

/** The field of a packet that holds packed packets. */
const COMPRESSED_PACKETS = 50;

/**
 * What is packed in the packets of a Perfetto trace.
 * @param {Uint8Array} trace
 * @returns {Uint8Array[]}
 */
export function packedPackets(trace) {
  return [...fields(trace)].flatMap(({ value, end }) => {
    const packet = trace.subarray(value, end);
    const packed = [...fields(packet)].find(({ field }) => field === COMPRESSED_PACKETS);
    return packed === undefined ? [] : [packet.subarray(packed.value, packed.end)];
  });
}
