/**
 * Escapes a value for a URL's fragment. What is legal there stays readable; an unpaired surrogate, which cannot be
 * escaped, is replaced.
 */
export const escapeValue = (value: string): string =>
  encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd')).replace(/%(40|2C|2F|3A)/g, decodeURIComponent);
