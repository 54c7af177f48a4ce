/**
 * Takes a real trace apart for the fuzzer: the texts of its event formats, some of its pages, and a small file of the
 * same shape, which a fuzzer can mutate thousands of times a second. Version 6, not compressed: trace-cmd.dat.v6(5).
 */

/** Formats kept in the small file: scheduling, and one of each odd kind. */
const KEPT_SYSTEMS = ['ftrace', 'sched'];
/** CPUs whose data is kept in the small file, and pages of each. */
const KEPT_CPUS = 2;
const KEPT_PAGES = 2;

/**
 * @typedef {object} SmallTrace
 * @property {string[]} formats
 * @property {Buffer[]} pages
 * @property {Buffer} file
 */

/**
 * @param {Buffer} bytes
 * @returns {SmallTrace}
 */
export function takeApart(bytes) {
  const reader = new Reader(bytes);
  /** @type {Buffer[]} */
  const out = [];
  const keepFrom = (/** @type {number} */ start) => out.push(bytes.subarray(start, reader.at));
  if (reader.text(10) !== '\x17\x08\x44tracing' || reader.string() !== '6') throw new Error('not a version 6 file');
  reader.bigEndian = reader.u8() === 1;
  reader.u8();
  const pageSize = reader.u32();
  reader.text('header_page\0'.length);
  reader.skip(reader.u64());
  reader.text('header_event\0'.length);
  reader.skip(reader.u64());
  keepFrom(0);

  /** @type {string[]} */
  const formats = [];
  const system = (/** @type {string} */ name) => {
    const start = reader.at;
    const count = reader.u32();
    for (let index = 0; index < count; index++) formats.push(reader.text(reader.u64()));
    if (KEPT_SYSTEMS.includes(name)) {
      if (name !== 'ftrace') out.push(Buffer.from(`${name}\0`));
      keepFrom(start);
    }
  };
  system('ftrace');
  out.push(reader.word(KEPT_SYSTEMS.length - 1));
  const systems = reader.u32();
  for (let index = 0; index < systems; index++) system(reader.string());
  // kallsyms and printk formats are left out; the saved command lines are kept.
  reader.skip(reader.u32());
  reader.skip(reader.u32());
  out.push(reader.word(0), reader.word(0));
  const cmdlines = reader.at;
  reader.skip(reader.u64());
  keepFrom(cmdlines);

  const cpus = reader.u32();
  out.push(reader.word(KEPT_CPUS));
  const options = reader.at;
  let tag = reader.text(10);
  if (tag === 'options  \0') {
    while (reader.u16() !== 0) reader.skip(reader.u32());
    keepFrom(options);
    tag = reader.text(10);
  }
  if (tag !== 'flyrecord\0') throw new Error('no per-CPU data');
  out.push(Buffer.from(tag));
  /** @type {Buffer[]} */
  const pages = [];
  const kept = [];
  for (let cpu = 0; cpu < cpus; cpu++) {
    const [offset, size] = [reader.u64(), reader.u64()];
    if (size === 0) continue;
    const data = bytes.subarray(offset, offset + Math.min(size, KEPT_PAGES * pageSize));
    if (kept.length < KEPT_CPUS) kept.push(data);
    pages.push(data.subarray(0, pageSize));
  }
  let offset = out.reduce((sum, part) => sum + part.length, 0) + KEPT_CPUS * 16;
  for (const data of kept) {
    out.push(reader.long(offset), reader.long(data.length));
    offset += data.length;
  }
  return { formats, pages, file: Buffer.concat([...out, ...kept]) };
}

class Reader {
  bigEndian = false;
  at = 0;
  #bytes;

  /** @param {Buffer} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  /** @param {number} length */
  skip(length) {
    this.at += length;
    if (this.at > this.#bytes.length) throw new Error('the file ends too early');
  }

  /** @param {number} length */
  text(length) {
    this.skip(length);
    return this.#bytes.toString('latin1', this.at - length, this.at);
  }

  string() {
    return this.text(this.#bytes.indexOf(0, this.at) + 1 - this.at).slice(0, -1);
  }

  u8() {
    this.skip(1);
    return this.#bytes.readUInt8(this.at - 1);
  }

  u16() {
    this.skip(2);
    return this.bigEndian ? this.#bytes.readUInt16BE(this.at - 2) : this.#bytes.readUInt16LE(this.at - 2);
  }

  u32() {
    this.skip(4);
    return this.bigEndian ? this.#bytes.readUInt32BE(this.at - 4) : this.#bytes.readUInt32LE(this.at - 4);
  }

  u64() {
    this.skip(8);
    return Number(this.bigEndian ? this.#bytes.readBigUInt64BE(this.at - 8) : this.#bytes.readBigUInt64LE(this.at - 8));
  }

  /** @param {number} value */
  word(value) {
    const bytes = Buffer.alloc(4);
    if (this.bigEndian) bytes.writeUInt32BE(value);
    else bytes.writeUInt32LE(value);
    return bytes;
  }

  /** @param {number} value */
  long(value) {
    const bytes = Buffer.alloc(8);
    if (this.bigEndian) bytes.writeBigUInt64BE(BigInt(value));
    else bytes.writeBigUInt64LE(BigInt(value));
    return bytes;
  }
}
