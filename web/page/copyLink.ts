import { writeClipboard } from '../base/clipboard';
import type { Page } from './page';

/** Copies the address of the view; false, with an announcement, if the browser refuses. */
export async function copyLink(page: Page): Promise<boolean> {
  const session = page.session.get();
  try {
    await writeClipboard(page.link());
  } catch {
    page.announce('The browser refused the clipboard. The link is in the address bar.');
    return false;
  }
  page.announce(
    session.kind === 'open' && session.origin.query === null
      ? 'Link copied. It holds the view, not the trace: the page asks for the file when the link is opened.'
      : 'Link copied.',
  );
  return true;
}
