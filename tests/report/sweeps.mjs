// @ts-check
// The sweeps whose texts are stored. System calls are many and alike, so only one kernel has them.

/** @type {{of: string, args: string[]}[]} */
export const SWEEPS = [];
