/** Rows of a table as text: aligned columns for an e-mail, or CSV for other programs. Pure. */

/** How a column is copied. */
export interface CopiedColumn<Row> {
  /** The column's head in aligned text. */
  readonly text: string;
  /** Whether it is aligned to the right. */
  readonly numeric?: boolean;
  /** What is copied; a column without it is left out. */
  readonly copy?: {
    /** The text of the cell. */
    readonly text: (row: Row) => string;
    /** The column's name in CSV, with its unit. */
    readonly name: string;
    /** The exact value. */
    readonly value: (row: Row) => string | number;
  };
}

/** Columns with two spaces between them, below their heads. Every line ends in a newline. */
export function alignedText<Row>(columns: readonly CopiedColumn<Row>[], rows: readonly Row[]): string {
  const copied = columns.flatMap(({ text, numeric, copy }) => (copy ? [{ head: text, numeric, copy }] : []));
  const lines = [copied.map(({ head }) => head), ...rows.map((row) => copied.map(({ copy }) => copy.text(row)))];
  const widths = copied.map((_, i) => lines.reduce((most, line) => Math.max(most, lengthOf(line[i] ?? '')), 0));
  const pad = (text: string, i: number): string => {
    const spaces = ' '.repeat(Math.max(0, (widths[i] ?? 0) - lengthOf(text)));
    return copied[i]?.numeric ? spaces + text : text + spaces;
  };
  return lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('');
}

/** CSV as in RFC 4180, but with Unix newlines. */
export function csvText<Row>(columns: readonly CopiedColumn<Row>[], rows: readonly Row[]): string {
  const copied = columns.flatMap(({ copy }) => (copy ? [copy] : []));
  const lines = [copied.map(({ name }) => name), ...rows.map((row) => copied.map(({ value }) => `${value(row)}`))];
  return lines.map((line) => `${line.map(quoted).join(',')}\n`).join('');
}

const quoted = (field: string): string => (/[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

/** The length of a text in code points, of which names may hold any. */
const lengthOf = (text: string): number => Array.from(text).length;
