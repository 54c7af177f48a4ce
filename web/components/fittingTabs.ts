/**
 * Chooses which tabs of a row are shown if not all have room: the first that fit beside `more`, and the active one, which takes the
 * place of the last of them where necessary. Widths are CSS pixels.
 */
export function fittingTabs(widths: readonly number[], active: number, room: number, more: number): readonly number[] {
  const all = widths.map((_, index) => index);
  const width = (shown: readonly number[]): number => shown.reduce((sum, index) => sum + (widths[index] ?? 0), 0);
  if (width(all) <= room) return all;
  let first = all.length;
  const shown = (): readonly number[] => all.filter((index) => index < first || index === active);
  while (first > 0 && width(shown()) > room - more) first--;
  return shown();
}
