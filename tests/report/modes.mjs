// @ts-check
// The modes of printing that are compared: options of trace-cmd, and of corelane for the same.

/** @typedef {{name: string, traceCmd: string[], corelane: string[]}} Mode */

/** @type {Mode[]} */
export const MODES = [
  { name: 'report', traceCmd: [], corelane: [] },
  { name: 'report-R', traceCmd: ['-R'], corelane: ['--raw'] },
  { name: 'report-N', traceCmd: ['-N'], corelane: ['--no-plugins'] },
  { name: 'report-l', traceCmd: ['-l'], corelane: ['--latency'] },
];
