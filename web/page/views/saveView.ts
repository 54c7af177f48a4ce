/** Saves the present view, with its marks and notes, as a file. */
import { saveFile } from '../../base/saveFile';
import { VIEW_FILE } from '../origins';
import type { Page } from '../page';
import { viewFileText } from './viewFile';

export function saveView(page: Page): void {
  const session = page.session.get();
  if (session.kind !== 'open') {
    page.announce('Open a trace first: a view is one of a trace.');
    return;
  }
  const { name } = session.summary;
  const text = viewFileText(name, new URL(page.link()).hash);
  const saved = `${name.replace(/\.dat$/, '')}${VIEW_FILE}`;
  saveFile(text, 'application/json', saved);
  page.announce(`${saved} is saved: the view with its notes, without the trace.`);
}
