/** How single fields of a URL are decoded. null: not what the field may hold. */

/** A field's value, or `missing` where it is absent or bad, which is reported. */
export type ReadField = <T>(name: string, decode: (text: string) => T | null, missing: T, expected: string) => T;

export const decodeFlag = (text: string): boolean | null => (text === '1' ? true : text === '0' ? false : null);

export const oneOf =
  <T extends string>(values: readonly T[]) =>
  (text: string): T | null =>
    values.find((value) => value === text) ?? null;

export const matching =
  (pattern: RegExp) =>
  (text: string): string | null =>
    pattern.test(text) ? text : null;
