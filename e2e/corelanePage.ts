/** The page as a user sees it. Places are given as CPU and time; their pixels are found from the draw state. */
import { expect, type Locator, type Page } from '@playwright/test';
import type { ViewState } from '../web/state/viewState';
import type {} from '../web/testHook';
import type { DrawState, LaneState } from '../web/timeline/drawState';
import { decodePng, type Picture } from './png';

interface Place {
  readonly x: number;
  readonly y: number;
}

export class CorelanePage {
  readonly lanes: Locator;
  readonly running: Locator;
  readonly taskLanes: Locator;
  readonly details: Locator;
  readonly commands: Locator;
  readonly status: Locator;
  /** The pane with the list of events; then the list itself. */
  readonly eventsPane: Locator;
  readonly events: Locator;

  constructor(readonly page: Page) {
    this.lanes = page.getByRole('region', { name: 'Lanes of all CPUs' });
    this.running = page.getByRole('region', { name: 'Running and waiting tasks' });
    this.taskLanes = page.getByRole('region', { name: 'Task lanes' });
    this.details = page.getByRole('region', { name: 'Details' });
    this.commands = page.getByRole('grid', { name: /^Commands of/ });
    this.status = page.locator('.status-bar');
    this.eventsPane = page.getByRole('region', { name: 'Events', exact: true });
    this.events = page.getByRole('grid', { name: 'Events', exact: true });
  }

  /** Opens an address and waits until everything is drawn; without a path, the page waits for a file. */
  async open(path = './?trace='): Promise<void> {
    await this.page.goto(path);
    await this.idle();
  }

  /** Opens a file through the file input, as the button and Ctrl+O do. */
  async choose(name: string, bytes: Buffer): Promise<void> {
    await this.page.locator('#trace-file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: bytes });
    await this.idle();
  }

  /** Drops a file on the window. */
  async drop(name: string, bytes: Buffer): Promise<void> {
    const transfer = await this.page.evaluateHandle(
      ([fileName, base64]) => {
        const file = new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], fileName);
        const data = new DataTransfer();
        data.items.add(file);
        return data;
      },
      [name, bytes.toString('base64')] as const,
    );
    await this.page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer });
    await expect(this.page.getByText('Drop to open this trace')).toBeVisible();
    await this.page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
    await this.idle();
  }

  /** The names of the wasm modules that are fetched from now on. */
  watchModules(): readonly string[] {
    const modules: string[] = [];
    this.page.on('request', (request) => {
      const name = /(\w+)_bg[^/]*\.wasm/.exec(request.url())?.[1];
      if (name !== undefined) modules.push(name);
    });
    return modules;
  }

  idle(): Promise<void> {
    return this.page.evaluate(() => window.corelane.idle());
  }

  view(): Promise<ViewState> {
    return this.page.evaluate(() => window.corelane.view());
  }

  /** The draw state of a trace, by default of the first. */
  drawState(trace?: number): Promise<DrawState> {
    return this.page.evaluate((id) => window.corelane.drawState(id), trace);
  }

  /** The title, which names the open trace, if any. */
  title(): Promise<string> {
    return this.page.getByRole('heading', { level: 1 }).innerText();
  }

  async lane(cpu: number): Promise<LaneState> {
    const lane = (await this.drawState()).lanes.find((candidate) => candidate.cpu === cpu);
    if (!lane) throw new Error(`CPU ${cpu} has no lane`);
    return lane;
  }

  /**
   * The pixel of a CPU's lane for a time, in CSS pixels of the window. It is rounded, because wheel events have whole
   * coordinates.
   */
  async place(cpu: number, time: number): Promise<Place> {
    // A pane that was mounted just now has no size before the browser has laid it out: all times would be at its left edge.
    await expect.poll(async () => (await this.drawState()).plot.width).toBeGreaterThan(0);
    const { window, plot } = await this.drawState();
    const lane = await this.lane(cpu);
    const box = await this.box(this.lanes);
    const share = (time - window.start) / (window.end - window.start);
    return { x: Math.floor(box.x + plot.left + share * plot.width), y: box.y + lane.top + lane.height / 2 };
  }

  /** The time below an x of the window. */
  async timeAt(x: number): Promise<number> {
    const { window, plot } = await this.drawState();
    const box = await this.box(this.lanes);
    return window.start + ((x - box.x - plot.left) / plot.width) * (window.end - window.start);
  }

  async clickRun(cpu: number, time: number): Promise<void> {
    const { x, y } = await this.place(cpu, time);
    await this.page.mouse.click(x, y);
    await this.idle();
  }

  async hover(cpu: number, time: number): Promise<void> {
    const { x, y } = await this.place(cpu, time);
    await this.page.mouse.move(x, y);
    await this.idle();
  }

  /** The pixel of a task's lane for a time, in CSS pixels of the window. */
  async taskPlace(pid: number, time: number): Promise<Place> {
    const { window, tasks } = await this.drawState();
    const lane = tasks?.lanes.find((candidate) => candidate.pid === pid);
    if (!tasks || !lane) throw new Error(`PID ${pid} has no lane in sight`);
    const box = await this.box(this.taskLanes.getByRole('group'));
    const share = (time - window.start) / (window.end - window.start);
    return {
      x: Math.floor(box.x + tasks.plot.left + share * tasks.plot.width),
      y: box.y + tasks.plot.top + lane.top + lane.height / 2,
    };
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
    await this.idle();
  }

  /**
   * Types a text in place of a field's own. By WebDriver BiDi, `fill` sets the value as a script of the page would, and
   * React does not see that.
   */
  async write(field: Locator, text: string): Promise<void> {
    await field.selectText();
    await field.pressSequentially(text);
  }

  /** The text on the clipboard, once what was asked for is there. */
  async clipboard(): Promise<string> {
    await this.idle();
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** The value beside a name in the details. */
  fact(name: string): Locator {
    return this.details.locator(`dt:text-is("${name}") + dd`);
  }

  /** Opens a tab of the details, which may be in the menu of those without room. */
  async openTab(name: string | RegExp): Promise<void> {
    const tab = this.details.getByRole('tab', { name });
    const more = this.details.getByRole('button', { name: /^More/ });
    await expect(tab.or(more).first()).toBeVisible();
    if (await tab.isHidden()) {
      await more.click();
      await this.details.getByRole('dialog', { name: 'More tabs' }).getByRole('button', { name }).click();
    } else {
      await tab.click();
    }
    await expect(tab).toHaveAttribute('aria-selected', 'true');
  }

  /** The names of all tabs of the details, without their badges. */
  tabNames(): Promise<string[]> {
    return this.details
      .locator('[role=tab]')
      .evaluateAll((tabs) => tabs.map((tab) => tab.firstChild?.textContent ?? ''));
  }

  /** Shows the table of commands, which is a tab in windows without room for a pane. */
  async showCommands(): Promise<void> {
    if (await this.commands.isHidden()) await this.openTab('Commands');
    // The table asks for its rows once it is shown.
    await this.idle();
  }

  command(comm: string): Locator {
    return this.commands.getByRole('row').filter({ has: this.page.getByText(comm, { exact: true }) });
  }

  /** The visible rows of the list of events, with their numbers in the list (0 is the first). */
  async eventRows(): Promise<{ readonly row: number; readonly text: string }[]> {
    await this.idle();
    return this.events.locator('.events-body [role=row]').evaluateAll((rows) =>
      rows.map((row) => {
        // Without the time since the row before, and without the button.
        const cells = [...row.children].filter((_, column) => ![1, 6].includes(column));
        const text = cells.map((cell) =>
          [...cell.childNodes]
            .filter((node) => !(node instanceof Element && node.matches('.badge')))
            .map((node) => node.textContent)
            .join(''),
        );
        return { row: Number(row.getAttribute('aria-rowindex')) - 2, text: text.join(' | ') };
      }),
    );
  }

  /** The number of the current row; null when there is none. */
  async currentEventRow(): Promise<number | null> {
    await this.idle();
    const id = await this.events.getAttribute('aria-activedescendant');
    const index = id === null ? null : await this.page.locator(`[id="${id}"]`).getAttribute('aria-rowindex');
    return index === null ? null : Number(index) - 2;
  }

  /** Drags the scroll bar of the list of events: 0 is the top, 1 the bottom. */
  async scrollEvents(share: number): Promise<void> {
    await this.events.locator('.events-body').evaluate((body, to) => {
      body.scrollTop = to * (body.scrollHeight - body.clientHeight);
    }, share);
    await this.idle();
  }

  /** A picture of the lanes without what follows the pointer. */
  async lanePicture(): Promise<Picture> {
    return this.picture(this.lanes);
  }

  async picture(region: Locator): Promise<Picture> {
    await this.page.mouse.move(1, 1);
    await this.idle();
    // What WebGL draws is on the screen one frame later, and software compositing may take one more.
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    return decodePng(await region.screenshot({ animations: 'disabled' }));
  }

  /** The box of a region, which has to be on the page. */
  async box(region: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
    const box = await region.boundingBox();
    if (!box) throw new Error('the region is not on the page');
    return box;
  }
}
