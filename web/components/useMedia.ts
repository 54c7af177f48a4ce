import { useMemo, useSyncExternalStore } from 'react';

/** In narrow windows the lanes would have no room beside tables, nor below toolbars: theme.css then lets the page scroll. */
export const NARROW = '(max-width: 700px)';

/** Whether a media query holds. */
export function useMedia(query: string): boolean {
  const [subscribe, holds] = useMemo(() => {
    const media = matchMedia(query);
    const subscribe = (changed: () => void): (() => void) => {
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    };
    return [subscribe, () => media.matches] as const;
  }, [query]);
  return useSyncExternalStore(subscribe, holds);
}
