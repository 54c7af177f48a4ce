import { expect, it } from 'vitest';
import { Patches, stepOf } from './patches';

it('columns that are alike and beside each other are one patch', () => {
  const patches = new Patches();
  const [full, half] = [stepOf(1), stepOf(0.5)];
  patches.add(4, 10, 8, full);
  patches.add(5, 10, 8, full);
  // Weaker, lower, after a gap, on another lane.
  patches.add(6, 10, 8, half);
  patches.add(7, 12, 6, half);
  patches.add(9, 12, 6, half);
  patches.add(10, 30, 6, half);
  expect(patches.list()).toEqual([
    { x: 4, y: 10, width: 2, height: 8, strength: 0.35 },
    { x: 6, y: 10, width: 1, height: 8, strength: 0.175 },
    { x: 7, y: 12, width: 1, height: 6, strength: 0.175 },
    { x: 9, y: 12, width: 1, height: 6, strength: 0.175 },
    { x: 10, y: 30, width: 1, height: 6, strength: 0.175 },
  ]);
});

it('there is room for any number, and all are painted, whatever their strength', () => {
  const patches = new Patches();
  const many = 3000;
  for (let x = 0; x < many; x++) patches.add(2 * x, 0, 1, 1 + (x % 64));
  expect(patches.count).toBe(many);
  const painted: string[] = [];
  const context = {
    fillStyle: '',
    globalAlpha: 1,
    fillRect(x: number, y: number, width: number, height: number) {
      painted.push(`${x} ${y} ${width} ${height} ${this.globalAlpha}`);
    },
  };
  patches.paint(context as unknown as CanvasRenderingContext2D, '#000');
  const expected = patches
    .list()
    .map(({ x, y, width, height, strength }) => `${x} ${y} ${width} ${height} ${strength}`);
  expect(painted.sort()).toEqual(expected.sort());
  expect(context.globalAlpha).toBe(1);
  patches.clear();
  patches.paint(context as unknown as CanvasRenderingContext2D, '#000');
  expect(painted).toHaveLength(many);
});

it('the pixels of very many are those of the patches, within the canvas', () => {
  const patches = new Patches();
  const [width, height] = [300, 200];
  // Every third column of lanes of 4 rows; some reach beyond the canvas.
  for (let top = -2; top < height + 4; top += 5) {
    for (let x = 0; x < width + 6; x += 3) {
      patches.add(x, top, 4, 1 + ((x + top + 2) % 64));
      patches.add(x + 1, top, 4, 1 + ((x + top + 2) % 64));
    }
  }
  expect(patches.count).toBeGreaterThan(4000);
  let written: Uint8ClampedArray | null = null;
  const context = {
    canvas: { width, height },
    createImageData: () => ({ width, height, data: new Uint8ClampedArray(4 * width * height).fill(7) }),
    putImageData: ({ data }: ImageData) => {
      written = data;
    },
  };
  const list = patches.list();
  const expected = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y++) {
    const inRow = list.filter((one) => one.y <= y && y < one.y + one.height);
    for (let x = 0; x < width; x++) {
      const there = inRow.find((one) => one.x <= x && x < one.x + one.width);
      if (there) expected.set([0x14, 0x18, 0x1f, Math.round(there.strength * 255)], 4 * (y * width + x));
    }
  }
  patches.paint(context as unknown as CanvasRenderingContext2D, '#14181f');
  expect(written).toEqual(expected);
});
