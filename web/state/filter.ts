/** The view's filter as an expression over events. Pure. */
import { isExpression } from './events';

/** An expression for what the user typed: a plain text is one that lines hold. */
export function expressionOf(filter: string): string {
  const text = filter.trim();
  if (text === '' || isExpression(text)) return text;
  // First for the pattern, in which these stand for something else, then for the quotes around it.
  const pattern = text.replace(/[\\*?[]/g, '\\$&');
  return `text ~ "${pattern.replace(/[\\"]/g, '\\$&')}"`;
}

/**
 * Whether an expression names a field of the next task: a switch that passes then stands for the run that it begins, not for the
 * one that it ends. Texts in quotes are no names.
 */
export const namesNextTask = (expression: string): boolean =>
  /(?<![\w.])next_/.test(expression.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, ''));
