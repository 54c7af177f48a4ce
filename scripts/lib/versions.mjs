/**
 * Whether version `found` comes before `needed`; both are dotted numbers, missing parts are zero.
 * @param {string} found
 * @param {string} needed
 */
export function isOlder(found, needed) {
  const parts = found.split('.').map(Number);
  const difference = needed.split('.').map((part, index) => (parts[index] ?? 0) - Number(part));
  return (difference.find((value) => value !== 0) ?? 0) < 0;
}
