// @ts-check
// Checks every option of `corelane figure` by what it must show.

import { arrowCases } from './arrows.mjs';
import { fileCases } from './files.mjs';
import { formatCases } from './formats.mjs';
import { kindCases } from './kinds.mjs';
import { layoutCases } from './layout.mjs';
import { selectionCases } from './selection.mjs';

/** @typedef {{name: string, test: (bench: import('../bench.mjs').Bench) => Promise<void>}} Case */

/** @type {Case[]} */
export const cases = [...selectionCases, ...layoutCases, ...arrowCases, ...kindCases, ...fileCases, ...formatCases];
