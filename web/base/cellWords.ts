/**
 * The two words of a cell, as the engine packs them (`schedindex/src/cells.rs`) and the lanes draw them. The first is the
 * key: the dominant task's or comm's id, `EMPTY_KEY` where nothing runs. The second holds in bits 0-15 how busy the bucket
 * is (65535: all of it; rounded up so that a run of 1 ns is never 0), then these flags.
 */
export const EMPTY_KEY = 0xffffffff;

/** Some of the bucket is unknown. */
export const CELL_UNKNOWN = 1 << 16;
/** More than two intervals (runs, idle, unknown) fall into the bucket, so it is an aggregate and not just an edge. */
export const CELL_MERGED = 1 << 17;
/** A highlighted run falls into the bucket; the key is then the first such run's. */
export const CELL_HIGHLIGHT = 1 << 18;
/** The run was inferred (it began before the trace, or its start was not seen). */
export const CELL_INFERRED = 1 << 19;
