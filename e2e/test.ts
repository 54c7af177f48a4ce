import { createHash } from 'node:crypto';
import { test as base, expect } from '@playwright/test';
import { CorelanePage } from './corelanePage';

/**
 * Before it takes a picture by WebDriver BiDi, Playwright puts a style into the page for a moment, which the page's policy
 * forbids: Firefox says so with the hash of that style.
 */
const STYLE_OF_PLAYWRIGHT = createHash('sha256').update('body {}').digest('base64');

/** The tests' `test`, which fails on any error that the page did not expect. */
export const test = base.extend<{ corelane: CorelanePage; allowErrors: boolean }>({
  allowErrors: [false, { option: true }],
  // In Firefox, a preference lets stories read the clipboard.
  permissions: ({ browserName }, use) => use(browserName === 'chromium' ? ['clipboard-read', 'clipboard-write'] : []),
  corelane: async ({ page, allowErrors }, use) => {
    const errors: string[] = [];
    const note = (text: string): void => {
      if (!text.includes(STYLE_OF_PLAYWRIGHT)) errors.push(text);
    };
    page.on('pageerror', (error) => note(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.text().includes('INVALID_')) note(message.text());
    });
    await use(new CorelanePage(page));
    if (!allowErrors) expect(errors).toEqual([]);
  },
});

export { expect };
