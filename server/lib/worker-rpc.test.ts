import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { type AskedThread, askThread } from './worker-rpc.ts';

const ANSWERS = `import { workerData } from 'node:worker_threads';
import { answerQuestions, refuseTheLate } from '${new URL('./worker-rpc.ts', import.meta.url).href}';
answerQuestions(async (question, waited) => {
  if (question === 'punctual') refuseTheLate(waited * 100);
  if (question === 'blocks') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  if (question === 'leave') process.exit(3);
  if (question === 'fail') throw new Error('no answer');
  if (question === 'slow') await new Promise((done) => setTimeout(done, 50));
  return [workerData, question];
});
`;

let folder: ReturnType<typeof temporaryFolder>;
let thread: AskedThread<string, string[]>;

beforeEach(() => {
  folder = temporaryFolder();
  const file = join(folder.path, 'answers.ts');
  writeFileSync(file, ANSWERS);
  thread = askThread('tests', pathToFileURL(file), 'given');
});

afterEach(async () => {
  await thread.stop();
  folder.remove();
});

it('gives each asker its own answer, whatever their order', async () => {
  const answers = await Promise.all(['slow', 'one', 'two'].map((question) => thread.ask(question)));
  expect(answers).toEqual([
    ['given', 'slow'],
    ['given', 'one'],
    ['given', 'two'],
  ]);
});

it('gives a failure to its asker alone', async () => {
  const [failed, one] = await Promise.allSettled([thread.ask('fail'), thread.ask('one')]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'Error: no answer' } });
  expect(one).toMatchObject({ value: ['given', 'one'] });
});

it('fails what was asked of a thread that left, and starts another for the next', async () => {
  await expect(thread.ask('leave')).rejects.toThrow('The thread for tests stopped');
  await expect(thread.ask('one')).resolves.toEqual(['given', 'one']);
});

it('fails what is asked when it is stopped', async () => {
  const waiting = thread.ask('slow');
  await Promise.all([expect(waiting).rejects.toThrow('stopped'), thread.stop()]);
});

it('may tell those to come again for whom the questions before theirs took too long', async () => {
  const [slow, late] = await Promise.allSettled([thread.ask('blocks'), thread.ask('punctual')]);
  expect(slow).toMatchObject({ value: ['given', 'blocks'] });
  expect(late).toMatchObject({ reason: { name: 'StoreUnavailable' } });
  await expect(thread.ask('punctual')).resolves.toEqual(['given', 'punctual']);
});
