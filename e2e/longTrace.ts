/** Makes a long trace from a short one by repeating its pages, each time at a later time. */
import { fileBytes, truthOf } from './truth';

const PAGE = 4096;
const FLYRECORD = 'flyrecord\0';

/**
 * `name`: a fixture of version 6, 64 bits, little endian. A table behind `flyrecord` says where each CPU's pages are.
 */
export function longTrace(name: string, times: number): Buffer {
  const bytes = fileBytes(name);
  const { cpus, span } = truthOf(name);
  const table = bytes.lastIndexOf(FLYRECORD) + FLYRECORD.length;
  const head = Buffer.from(bytes.subarray(0, Number(bytes.readBigUInt64LE(table))));
  const parts = [head];
  let offset = head.length;
  for (let cpu = 0; cpu < cpus; cpu++) {
    const entry = table + 16 * cpu;
    const start = Number(bytes.readBigUInt64LE(entry));
    const pages = bytes.subarray(start, start + Number(bytes.readBigUInt64LE(entry + 8)));
    for (let time = 0; time < times; time++) {
      const later = Buffer.from(pages);
      for (let page = 0; page < later.length; page += PAGE) {
        later.writeBigUInt64LE(later.readBigUInt64LE(page) + BigInt(time * (span + 1000)), page);
      }
      parts.push(later);
    }
    head.writeBigUInt64LE(BigInt(offset), entry);
    head.writeBigUInt64LE(BigInt(pages.length * times), entry + 8);
    offset += pages.length * times;
  }
  return Buffer.concat(parts);
}
