/** A value in a URL's fragment. What is legal there stays readable; half of a character, which cannot be escaped, does not. */
export const escapeValue = (value: string): string =>
  encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd')).replace(/%(40|2C|2F|3A)/g, decodeURIComponent);
