import { expect, test } from 'vitest';
import { refusalOf, type Seen } from './fits';

const GB = 1e9;
const seen = (over: Partial<Seen>): Seen => ({
  rows: 1_000_000,
  bytes: 40e6,
  totalBytes: 2 * GB,
  span: 60 * GB,
  ...over,
});

test('a trace that fits is not refused, nor one of which too little is known', () => {
  expect(refusalOf(seen({}), 'a.dat', true)).toBeNull();
  expect(refusalOf(seen({ rows: 0, bytes: 0, totalBytes: 0 }), 'a.dat', true)).toBeNull();
  // 200 million, if all is like the first 20 MB.
  expect(refusalOf(seen({ rows: 2_000_000, bytes: 20e6 }), 'a.dat', true)).toBeNull();
});

test('a trace with too many events is refused with the command that makes a part which fits', () => {
  const refusal = refusalOf(seen({ rows: 4_000_000 }), 'a.dat', true);
  // 4 million in a fiftieth; 200 million of 48 bytes are 9.6 GB, of 4.29 GB less 15 % there is room for 22 of 60 s.
  expect(refusal).toMatchObject({ kind: 'memory', where: null });
  expect(refusal?.what).toContain('about 200,000,000 events of the scheduler, which need 9.6 GB');
  expect(refusal?.what).toContain('can have 4.3 GB');
  expect(refusal?.advice).toContain('`corelane cut a.dat --min 0 --max 22 -o part.dat`');
  expect(refusal?.advice).toContain('a part of its 60 s');
});

test('other formats are cut as they are written anew, and names that a shell would read stay out', () => {
  const refusal = refusalOf(seen({ rows: 4_000_000 }), 'my trace.pftrace', false);
  expect(refusal?.advice).toContain('`corelane export --tracedat part.dat FILE --min 0 --max 22`');
});
