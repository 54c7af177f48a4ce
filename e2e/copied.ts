/** Tables as the page copies them. */
import type { CorelanePage } from './corelanePage';

export type Copied = Readonly<Record<string, string>>;

/** The rows of the table that is copied as CSV; its texts have no commas. */
export async function copied(corelane: CorelanePage, what: string): Promise<Copied[]> {
  const { details, page } = corelane;
  await details.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: `Copy ${what} as CSV` }).click();
  const text = await corelane.clipboard();
  const [head = [], ...lines] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  return lines.map((line) => Object.fromEntries(head.map((name, place) => [name, line[place] ?? ''])));
}
