/**
 * Light or dark: the system's theme until the user chooses. It is not part of the view, because it belongs to the
 * viewer and not to the trace.
 */
import { type Observable, observable } from '../base/observable';

export type Theme = 'light' | 'dark';

const KEY = 'corelane.theme';

/** Creates the theme, which writes itself to the document for the style sheet. */
export function createTheme(root: HTMLElement): Observable<Theme> {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const chosen = (): Theme | null => {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : null;
  };
  const system = (): Theme => (dark.matches ? 'dark' : 'light');
  const theme = observable<Theme>(chosen() ?? system());
  const apply = (): void => {
    root.dataset.theme = theme.get();
  };
  apply();
  theme.subscribe(apply);
  dark.addEventListener('change', () => theme.set(chosen() ?? system()));
  return {
    ...theme,
    set(next) {
      // Choosing the system's own theme is no choice: later changes of the system are followed again.
      if (next === system()) {
        localStorage.removeItem(KEY);
      } else {
        localStorage.setItem(KEY, next);
      }
      theme.set(next);
    },
  };
}
