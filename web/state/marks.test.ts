import { describe, expect, it } from 'vitest';
import { ns } from '../base/units';
import { markDistance, noTimeMarks, withTimeMark } from './marks';

const SPAN = ns(1000);

describe('the marks A and B', () => {
  it('are at whole ns of the trace', () => {
    expect(withTimeMark(noTimeMarks, 'a', ns(12.6), SPAN)).toEqual({ a: 13, b: null });
    expect(withTimeMark(noTimeMarks, 'b', ns(-5), SPAN)).toEqual({ a: null, b: 0 });
    expect(withTimeMark(noTimeMarks, 'b', ns(5000), SPAN)).toEqual({ a: null, b: 1000 });
  });

  it('stay the same object when nothing changes', () => {
    const marks = withTimeMark(noTimeMarks, 'a', ns(12), SPAN);
    expect(withTimeMark(marks, 'a', ns(12.3), SPAN)).toBe(marks);
    expect(withTimeMark(noTimeMarks, 'b', null, SPAN)).toBe(noTimeMarks);
  });

  it('have a distance once both are set, with the sign of their order', () => {
    expect(markDistance({ a: ns(5), b: null })).toBeNull();
    expect(markDistance({ a: ns(5), b: ns(25) })).toBe(20);
    expect(markDistance({ a: ns(25), b: ns(5) })).toBe(-20);
  });
});
