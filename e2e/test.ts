import { test as base, expect } from '@playwright/test';
import { CorelanePage } from './corelanePage';

/** The tests' `test`, which fails on any error that the page did not expect. */
export const test = base.extend<{ corelane: CorelanePage; allowErrors: boolean }>({
  allowErrors: [false, { option: true }],
  corelane: async ({ page, allowErrors }, use) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.text().includes('INVALID_')) errors.push(message.text());
    });
    await use(new CorelanePage(page));
    if (!allowErrors) expect(errors).toEqual([]);
  },
});

export { expect };
