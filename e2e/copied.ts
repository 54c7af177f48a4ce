/** Tables as the page copies them. */
import type { CorelanePage } from './corelanePage';

export type Copied = Readonly<Record<string, string>>;

/** The rows of the table that is copied as CSV; its texts have no commas. */
export async function copied(corelane: CorelanePage, what: string): Promise<Copied[]> {
  await corelane.details.getByRole('button', { name: 'Copy', exact: true }).click();
  return copiedBy(corelane, `Copy ${what} as CSV`);
}

/** The same, of the table that a button copies. */
export async function copiedBy(corelane: CorelanePage, button: string): Promise<Copied[]> {
  await corelane.page.getByRole('button', { name: button }).click();
  const text = await corelane.clipboard();
  const [head = [], ...lines] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  return lines.map((line) => Object.fromEntries(head.map((name, place) => [name, line[place] ?? ''])));
}
