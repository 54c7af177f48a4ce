import { expect, it } from 'vitest';
import { CellFlag, NO_KEY } from '../../../engine/protocol';
import { CELL_HIGHLIGHT, CELL_INFERRED, CELL_MERGED, CELL_UNKNOWN, EMPTY_KEY } from '../../../gl/cells';

it('draws cells as the engine packs them', () => {
  expect({ unknown: CELL_UNKNOWN, merged: CELL_MERGED, highlight: CELL_HIGHLIGHT, inferred: CELL_INFERRED }).toEqual(
    CellFlag,
  );
  expect(EMPTY_KEY).toBe(NO_KEY);
});
