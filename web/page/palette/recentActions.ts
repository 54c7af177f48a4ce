/** The texts of the actions that were chosen last in the palette, the newest first, kept in the browser. */
const KEY = 'corelane.palette';
const MOST = 5;

export function recentActions(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((text) => typeof text === 'string') : [];
  } catch {
    return [];
  }
}

export function noteAction(text: string): void {
  const next = [text, ...recentActions().filter((other) => other !== text)].slice(0, MOST);
  localStorage.setItem(KEY, JSON.stringify(next));
}
