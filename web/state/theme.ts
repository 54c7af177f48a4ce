/** Light or dark: as the system says, until the user chooses. Not part of the view: it is the viewer's, not the trace's. */
import { type Observable, observable } from '../base/observable';

export type Theme = 'light' | 'dark';

const KEY = 'corelane.theme';

/** The theme; writes itself to the document, for the style sheet. */
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
      // The system's own theme is not a choice: later changes of it are followed again.
      if (next === system()) {
        localStorage.removeItem(KEY);
      } else {
        localStorage.setItem(KEY, next);
      }
      theme.set(next);
    },
  };
}
