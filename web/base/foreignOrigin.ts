/**
 * The origin of the server that an address names, as `https://host:port`, if that is another one than the page's; else null.
 * `page`: the address of the page, to which `address` may be relative.
 */
export function foreignOrigin(address: string, page: string): string | null {
  if (!URL.canParse(address, page)) return null;
  const { origin, protocol } = new URL(address, page);
  const isServer = protocol === 'https:' || protocol === 'http:';
  return isServer && origin !== new URL(page).origin ? origin : null;
}
