import { describe, expect, it } from 'vitest';
import { choose, firstChoice } from './choice';

/** Takes these times, turn by turn. */
const taking = (...ms: number[]) => {
  const left = [...ms];
  return () => {
    const next = left.shift();
    if (next === undefined) throw new Error('drawn too often');
    return next;
  };
};

describe('the choice between WebGL and 2D', () => {
  it('keeps a GPU without trying 2D', () => {
    expect(choose(taking(1.5), taking())).toMatchObject({ graphics: 'webgl', webglMs: 1.5, flatMs: null });
  });

  it('takes 2D where it is clearly faster', () => {
    expect(choose(taking(90, 80), taking(20, 12))).toEqual({ graphics: '2d', by: 'measure', webglMs: 80, flatMs: 12 });
  });

  it('keeps WebGL where 2D is slower, or hardly faster', () => {
    expect(choose(taking(8, 7), taking(30, 25)).graphics).toBe('webgl');
    expect(choose(taking(12, 12), taking(11, 10)).graphics).toBe('webgl');
  });

  it('does not count a first turn that had to warm up', () => {
    expect(choose(taking(60, 2), taking(9, 1)).graphics).toBe('webgl');
    expect(choose(taking(60, 50), taking(200, 10)).graphics).toBe('2d');
  });

  it('is the address’s where that names one', () => {
    expect(firstChoice('2d')).toMatchObject({ graphics: '2d', by: 'url' });
    expect(firstChoice('webgl')).toMatchObject({ graphics: 'webgl', by: 'url' });
    expect(firstChoice(null)).toMatchObject({ graphics: 'webgl', by: 'start' });
    expect(firstChoice('vulkan')).toMatchObject({ graphics: 'webgl', by: 'start' });
  });
});
