/** Saves the present view, with its marks and notes, as a file. */
import type { Page } from '../page';
import { VIEW_FILE, viewFileText } from './viewFile';

export function saveView(page: Page): void {
  const session = page.session.get();
  if (session.kind !== 'open') {
    page.announce('Open a trace first: a view is one of a trace.');
    return;
  }
  const { name } = session.summary;
  const text = viewFileText(name, new URL(page.link()).hash);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = `${name.replace(/\.dat$/, '')}${VIEW_FILE}`;
  link.click();
  // Browsers have read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  page.announce(`${link.download} is saved: the view with its notes, without the trace.`);
}
