import { useMemo, useSyncExternalStore } from 'react';

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
