import { commandLine, installedUsage } from '../lib/command-line.ts';
import { errorMessage } from '../lib/error-message.ts';
import { noticeSender, siteName } from '../notices/notice-sender.ts';
import { hasRecipient } from '../notices/notice-settings.ts';
import { readOpenNotices } from '../notices/notice-state.ts';
import { readSettings, type Settings } from '../settings.ts';
import { openDatabaseForReading } from '../storage/open/database.ts';
import { fail } from './command-output.ts';
import { loadInstalledSettings, requireStore } from './command-store.ts';

const USAGE = `npm run notices -- status   lists the notices that are not over
npm run notices -- test     sends a notice by email and webhook`;

const [command] = commandLine(USAGE, { maxWords: 1 }).words;
loadInstalledSettings();
const read = readSettings(process.env);
if (command !== 'status' && command !== 'test') fail(installedUsage(USAGE));
else if (read.kind === 'refused') fail(read.message);
else if (command === 'status') await status(read.settings);
else await test(read.settings);

async function status({ config }: Settings): Promise<void> {
  if (!(await requireStore(config.store))) return;
  try {
    await using database = openDatabaseForReading(config.store);
    const sent = [...(await readOpenNotices(database)).values()].filter(({ isSent }) => isSent);
    for (const { since, title, text } of sent)
      console.log(`${new Date(since).toISOString()}  ${title}. ${text}`);
    if (sent.length === 0) console.log('There is nothing to report.');
  } catch (error) {
    fail(`The store cannot be read: ${errorMessage(error)}.`);
  }
}

async function test({ notices, config }: Settings): Promise<void> {
  if (!hasRecipient(notices))
    return fail('NOTICE_EMAIL and NOTICE_WEBHOOK are not set, so Skylark notifies no one.');
  const now = Date.now();
  const notice = {
    key: 'test',
    title: 'This is a test',
    text: 'Nothing is wrong.',
    since: now,
    isSent: false,
  };
  try {
    await noticeSender(notices, siteName(config.publicUrl), fail)(
      'begun',
      { ...notice, absentSince: null },
      now,
    );
    console.log('The notice has been sent.');
  } catch (error) {
    fail(`The notice could not be sent: ${errorMessage(error)}.`);
  }
}
