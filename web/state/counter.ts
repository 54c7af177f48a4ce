/** Numbers in the fields of events, as texts of the view. */
import type { EventNumber } from '../engine/protocol';

/** The longest text of a counter in a link. */
export const MAX_COUNTER = 120;

export const counterText = ({ system, event, field }: EventNumber): string => `${system}:${event}:${field}`;

/** The number that a text names; null: none. */
export function counterOfText(text: string): EventNumber | null {
  const [system, event, field, ...more] = text.split(':');
  return system && event && field && more.length === 0 ? { system, event, field } : null;
}

/** As it is called on the page. */
export const counterName = (text: string): string => text.split(':').slice(1).join(' ');
