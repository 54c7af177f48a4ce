import { expect, test } from 'vitest';
import { expressionOf, namesNextTask } from './filter';

test('a plain text becomes an expression, and an expression stays', () => {
  expect(expressionOf(' ')).toBe('');
  expect(expressionOf(' next_prio < 100 ')).toBe('next_prio < 100');
  // In quotes `\\` is a backslash, and in a pattern a backslash says that what follows stands for itself.
  expect(expressionOf('S ==> "a"')).toBe('text ~ "S ==> \\"a\\""');
  expect(expressionOf('[120] *?')).toBe('text ~ "\\\\[120] \\\\*\\\\?"');
  expect(expressionOf('a\\b')).toBe('text ~ "a\\\\\\\\b"');
});

test.each([
  ['next_prio < 100', true],
  ['sched_switch: prev_pid == 0 && !(next_comm ~ "a*")', true],
  ['prev_prio == next_prio', true],
  ['prev_comm == "next_one" || prev_comm == \'is "next_\'', false],
  ['text ~ "say \\"next_pid=3\\" *"', false],
  ['my_next_pid == 1 || cpu.next_ == 2', false],
])('%s: whether it names the next task', (expression, expected) => {
  expect(namesNextTask(expression)).toBe(expected);
});
