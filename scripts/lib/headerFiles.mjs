/**
 * Files that tell web servers which headers to send with the built page. A policy in the page itself does not bind its workers;
 * these headers do, from the first visit on. Where a server reads none of them, as GitHub Pages, the service worker sets the
 * policy of workers once it controls the page.
 */

/**
 * Header files by their path in the built folder. Netlify and Cloudflare Pages read `_headers`, Apache `.htaccess`, Vercel
 * `vercel.json`, Azure Static Web Apps `staticwebapp.config.json`; the files of `headers/` are for the server's own configuration.
 * @param {string} policy The page's Content-Security-Policy.
 * @returns {Readonly<Record<string, string>>}
 */
export function headerFiles(policy) {
  /** @type {readonly (readonly [name: string, value: string])[]} */
  const headers = [
    // Browsers ignore this directive in the page itself.
    ['Content-Security-Policy', `${policy}; frame-ancestors 'none'`],
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'no-referrer'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
  ];
  // The names of these files have a hash of what is in them.
  const forever = 'public, max-age=31536000, immutable';
  const list = headers.map(([key, value]) => ({ key, value }));
  const byName = Object.fromEntries(headers);
  const cached = [{ key: 'Cache-Control', value: forever }];
  const json = (/** @type {unknown} */ value) => `${JSON.stringify(value, null, 2)}\n`;
  const lines = (/** @type {readonly string[]} */ lines) => `${lines.join('\n')}\n`;
  return {
    _headers: lines([
      '/*',
      ...headers.map(([name, value]) => `  ${name}: ${value}`),
      '/assets/*',
      `  Cache-Control: ${forever}`,
    ]),
    '.htaccess': lines([
      'AddType application/wasm .wasm',
      '<IfModule mod_headers.c>',
      ...headers.map(([name, value]) => `  Header always set ${name} "${value}"`),
      '</IfModule>',
    ]),
    'vercel.json': json({
      headers: [
        { source: '/(.*)', headers: list },
        { source: '/assets/(.*)', headers: cached },
      ],
    }),
    'staticwebapp.config.json': json({ globalHeaders: byName, mimeTypes: { '.wasm': 'application/wasm' } }),
    'headers/nginx.conf': lines([
      "# Include this in the page's `location` block.",
      ...headers.map(([name, value]) => `add_header ${name} "${value}" always;`),
    ]),
    'headers/Caddyfile': lines([
      "# Import this in the page's site block.",
      'header {',
      ...headers.map(([name, value]) => `\t${name} "${value}"`),
      '}',
    ]),
    'headers/firebase.json': json({
      hosting: {
        public: 'dist',
        headers: [
          { source: '**', headers: list },
          { source: 'assets/**', headers: cached },
        ],
      },
    }),
  };
}

/** The paths of these files. */
export const HEADER_FILES = Object.keys(headerFiles(''));
