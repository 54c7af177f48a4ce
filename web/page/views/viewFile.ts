/** Views as files: what a URL holds, with the name of the trace, so that it can be kept and sent. */

/** A view is at most 2 KB; a larger file is something else. */
const MAX_VIEW_FILE = 64 * 1024;

const VERSION = 1;

/** The text of a file with a view; `fragment`: from `#` on, with all notes. */
export const viewFileText = (trace: string, fragment: string): string =>
  `${JSON.stringify(
    {
      corelane: VERSION,
      about:
        'A view of a trace, without the trace. Drop this file on the page of Corelane, which then asks for the trace.',
      trace,
      view: fragment,
    },
    null,
    2,
  )}\n`;

type Found = { readonly fragment: string } | { readonly problem: string };

/** Whether a fragment is one of a view. What tells is handed over: its code would else be in a file of its own. */
type IsView = (fragment: string) => boolean;

/** The fragment that a file holds; else what is wrong with it. */
export async function readViewFile(file: File, isView: IsView): Promise<Found> {
  if (file.size > MAX_VIEW_FILE) return { problem: 'it is too large' };
  return parseViewFile(await file.text().catch(() => ''), isView);
}

export function parseViewFile(text: string, isView: IsView): Found {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return { problem: 'it is no JSON' };
  }
  if (typeof found !== 'object' || found === null || !('corelane' in found)) {
    return { problem: 'it has no field “corelane”' };
  }
  if (found.corelane !== VERSION) {
    return { problem: `it is of version ${JSON.stringify(found.corelane)}; this page understands version ${VERSION}` };
  }
  if (!('view' in found) || typeof found.view !== 'string' || !found.view.startsWith('#')) {
    return { problem: 'its field “view” is no part of a URL from # on' };
  }
  if (!isView(found.view)) {
    return { problem: 'its field “view” is no view that this page understands' };
  }
  return { fragment: found.view };
}
