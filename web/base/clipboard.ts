import { underWay } from './rest';

/** Puts a text on the clipboard; fails where the browser refuses it. */
export const writeClipboard = (text: string): Promise<void> => underWay(navigator.clipboard.writeText(text));
