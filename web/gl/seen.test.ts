import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { afterSeen } from './seen';

class FakePage extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible';
  become(state: DocumentVisibilityState): void {
    this.visibilityState = state;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('waits while the page is seen, and only then', () => {
  const page = new FakePage();
  const done = vi.fn();
  page.become('hidden');
  afterSeen(2000, done, page);
  vi.advanceTimersByTime(60_000);
  page.become('visible');
  vi.advanceTimersByTime(1999);
  page.become('hidden');
  vi.advanceTimersByTime(60_000);
  page.become('visible');
  vi.advanceTimersByTime(1999);
  expect(done).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(done).toHaveBeenCalledTimes(1);
  page.become('hidden');
  page.become('visible');
  vi.advanceTimersByTime(60_000);
  expect(done).toHaveBeenCalledTimes(1);
});

it('can be ended', () => {
  const page = new FakePage();
  const done = vi.fn();
  const end = afterSeen(2000, done, page);
  end();
  page.become('visible');
  vi.advanceTimersByTime(60_000);
  expect(done).not.toHaveBeenCalled();
});
