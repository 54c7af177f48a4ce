// @ts-check
// `prev_state` of a raw report is a number; the event's own print fmt says what it means.

/**
 * @typedef {object} StateTable
 * @property {number} mask the bits of prev_state for which there are letters
 * @property {{bit: number, letter: string}[]} letters in the order of the print fmt
 * @property {number} plus the bit that prints `+`
 */

/**
 * Reads the state letters from the `print fmt` line of `sched_switch`.
 *
 * @param {string} printFmt the line, with or without its `print fmt:` prefix
 * @returns {StateTable}
 */
export function parseStateTable(printFmt) {
  const flags = /__print_flags\(REC->prev_state & (.*?), "\|", (.*?)\) : "R"/.exec(printFmt);
  if (!flags) throw new Error(`no __print_flags over prev_state in: ${printFmt}`);
  const plus = /REC->prev_state & ([^?]*?) \? "\+" : ""/.exec(printFmt.slice(flags.index + flags[0].length));
  if (!plus) throw new Error(`no "+" bit of prev_state in: ${printFmt}`);
  const letters = [...flags[2].matchAll(/\{ *(0x[0-9a-f]+|\d+), *"([^"]+)" *\}/gi)].map(([, bit, letter]) => ({
    bit: Number(bit),
    letter,
  }));
  return { mask: constant(flags[1]), letters, plus: constant(plus[1]) };
}

/**
 * The letters that the kernel prints for a raw prev_state, for instance `S`, `R`, `R+`, `D|K`.
 *
 * @param {StateTable} table
 * @param {number} raw
 */
export function stateLetters(table, raw) {
  const named = raw & table.mask;
  const letters = table.letters.filter(({ bit }) => (named & bit) === bit).map(({ letter }) => letter);
  const text = named === 0 ? 'R' : letters.length > 0 ? letters.join('|') : '?';
  return raw & table.plus ? `${text}+` : text;
}

/**
 * The value of a constant C expression of numbers, `|`, `<<`, `+`, `-` and parentheses, in which kernels write masks.
 *
 * @param {string} text
 */
function constant(text) {
  const tokens = text.match(/0x[0-9a-f]+|\d+|<<|[|+\-()]/gi) ?? [];
  let at = 0;
  // C's precedence, from the loosest to the tightest.
  const levels = [['|'], ['<<'], ['+', '-']];
  /** @type {Record<string, (a: number, b: number) => number>} */
  const apply = { '|': (a, b) => a | b, '<<': (a, b) => a << b, '+': (a, b) => a + b, '-': (a, b) => a - b };

  /** @param {number} level @returns {number} */
  const parse = (level) => {
    if (level === levels.length) {
      const token = tokens[at++];
      if (token !== '(') return Number(token);
      const inner = parse(0);
      at++;
      return inner;
    }
    let value = parse(level + 1);
    while (levels[level].includes(tokens[at])) {
      const operator = tokens[at++];
      value = apply[operator](value, parse(level + 1));
    }
    return value;
  };

  const value = parse(0);
  if (at !== tokens.length || Number.isNaN(value)) throw new Error(`not a constant: ${text}`);
  return value;
}
