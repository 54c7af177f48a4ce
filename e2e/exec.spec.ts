import { expect, test } from './test';
import { truthOf } from './truth';

const trace = truthOf('execthread-4cpu');

test('a run that an exec gives another PID leads from one part to the other', async ({ corelane }) => {
  // The longest run that goes on as another task, and the run that follows it.
  const parts = trace.derived.story.runs.flatMap((run) => (run.to ? [{ before: run, after: run.to }] : []));
  parts.sort((a, b) => b.after.end - b.after.start - (a.after.end - a.after.start));
  const [first] = parts;
  if (!first) throw new Error('the fixture has execs of threads');
  const { before, after } = first;
  const since = (t: number): number => t - trace.report.first;

  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await corelane.clickRun(after.cpu, (since(after.start) + since(after.end)) / 2);
  const title = corelane.details.getByRole('heading').first();
  await expect(title).toContainText(`${after.comm} ${after.task.pid}`);
  await expect(corelane.fact('From')).toContainText(`${(since(after.start) / 1e9).toFixed(9)} s`);
  await expect(corelane.fact('Exec')).toContainText(`The same run was PID ${before.task.pid} until here`);
  await corelane.fact('Exec').getByRole('button').click();
  await corelane.idle();
  await expect(title).toContainText(`${before.comm} ${before.task.pid}`);
  await expect(corelane.fact('Stopped')).toContainText(`by an exec it continues as PID ${after.task.pid}`);
  await corelane.fact('Stopped').getByRole('button').click();
  await corelane.idle();
  await expect(title).toContainText(`${after.comm} ${after.task.pid}`);
});

test('no exec of a thread is a contradiction', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await expect(corelane.page.getByText(/contradict/i)).toHaveCount(0);
});
