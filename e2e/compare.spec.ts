/** Two recordings in one window: opened together, on one axis, and what differs. */
import { formatDuration } from '../web/base/format';
import { expect, test } from './test';
import { truthOf } from './truth';

const first = truthOf('barrier32-badplace');
const other = truthOf('forkpipe-8cpu');
const clock = { isNs: true };

/** How long a command ran in a trace. */
const execution = (trace: typeof first, comm: string): number => trace.numbers.commands.get(comm)?.execution ?? 0;

test('files that are opened together share the axis, and are compared', { tag: '@firefox' }, async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await page.setInputFiles('#trace-file', [
    { name: first.name, mimeType: '', buffer: first.bytes },
    { name: other.name, mimeType: '', buffer: other.bytes },
  ]);
  const region = page.getByRole('region', { name: `Lanes of ${other.name}` });
  await expect(region).toBeVisible();
  await expect(corelane.details.getByRole('tab', { name: 'Compare' })).toHaveAttribute('aria-selected', 'true');
  await corelane.idle();
  expect((await corelane.drawState()).lanes).toHaveLength(first.cpus);
  expect((await corelane.drawState(1)).lanes).toHaveLength(other.cpus);

  const totals = corelane.details.getByRole('row', { name: /^Length/ });
  await expect(totals).toContainText(formatDuration(clock, first.span));
  await expect(totals).toContainText(formatDuration(clock, other.span));

  // The commands that differ most, whether they ran in both or in one.
  const comms = [...new Set([...first.numbers.commands.keys(), ...other.numbers.commands.keys()])];
  const differences = comms
    .map((comm) => ({ comm, by: execution(other, comm) - execution(first, comm) }))
    .sort((a, b) => Math.abs(b.by) - Math.abs(a.by));
  const rows = corelane.details.getByRole('grid', { name: 'Commands of both traces' }).getByRole('row');
  // Kernel threads of a kind are one row, which sums them, until it is opened.
  const workers = comms.filter((comm) => comm.startsWith('kworker/'));
  const sum = (trace: typeof first) => workers.reduce((total, comm) => total + execution(trace, comm), 0);
  const kworker = rows.filter({ hasText: 'kworker/…' });
  await expect(kworker).toContainText(formatDuration(clock, sum(first)));
  await expect(kworker).toContainText(formatDuration(clock, sum(other)));
  for (const folded = rows.filter({ hasText: '▸' }); (await folded.count()) > 0; ) {
    await folded.first().click();
    await corelane.idle();
  }
  for (const [place, { comm, by }] of differences.slice(0, 5).entries()) {
    const row = rows.nth(place + 1);
    await expect(row).toContainText(comm);
    await expect(row).toContainText(formatDuration(clock, execution(first, comm)));
    await expect(row).toContainText(formatDuration(clock, execution(other, comm)));
    await expect(row).toContainText(`${by > 0 ? '+' : '−'}${formatDuration(clock, Math.abs(by))}`);
  }

  // On a lane of the other trace, the menu is about the instant: runs and lanes that can be chosen are those of the first.
  await region.locator('.scene').click({ button: 'right' });
  const menu = page.getByRole('menu', { name: 'What can be done here' });
  await expect(menu.getByRole('menuitem', { name: 'Mark A here' })).toBeVisible();
  await expect(menu.getByRole('menuitem', { name: /this run|lane/i })).toHaveCount(0);
  await page.keyboard.press('Escape');

  // Aligned at their ends: the shorter one begins later, and the URL says so.
  await region.getByRole('combobox').selectOption({ label: 'aligned at the end' });
  await corelane.idle();
  expect(page.url()).toContain(`@${first.span - other.span}`);
  await region.getByRole('button', { name: 'Close' }).click();
  await expect(region).toBeHidden();
  await expect(corelane.details.getByRole('tab', { name: 'Compare' })).toBeHidden();
});

test('a file dropped on the right half opens beside the open trace, one on the left in its place', {
  tag: '@firefox',
}, async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(first.name, first.bytes);
  const drop = async (name: string, bytes: Buffer, share: number): Promise<void> => {
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    await page.evaluate(
      ([file, base64, x, y]) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], file));
        for (const type of ['dragenter', 'dragover', 'drop'])
          window.dispatchEvent(
            new DragEvent(type, { dataTransfer: data, clientX: x, clientY: y, bubbles: true, cancelable: true }),
          );
      },
      [name, bytes.toString('base64'), share * width, height / 2] as const,
    );
  };
  await drop(other.name, other.bytes, 0.75);
  await expect(page.getByRole('region', { name: `Lanes of ${other.name}` })).toBeVisible();
  await corelane.idle();
  expect(await corelane.title()).toContain(first.name);
  await drop(other.name, other.bytes, 0.25);
  await expect(page.getByRole('region', { name: `Lanes of ${other.name}` })).toBeHidden();
  await expect.poll(() => corelane.title()).toContain(other.name);
});
