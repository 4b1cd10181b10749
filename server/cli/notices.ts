import { parseCalendarDate } from '../../domain/calendar-date.ts';
import { commandLine, installedUsage } from '../lib/command-line.ts';
import { errorMessage } from '../lib/error-message.ts';
import { noticeSender, siteName } from '../notices/notice-sender.ts';
import { hasRecipient } from '../notices/notice-settings.ts';
import { readOpenNotices, saveNotice } from '../notices/notice-state.ts';
import { readSettings, type Settings } from '../settings.ts';
import { openDatabase, openDatabaseForReading } from '../storage/open/database.ts';
import { fail } from './command-output.ts';
import { loadInstalledSettings, requireStore } from './command-store.ts';

const USAGE = `npm run notices -- status   lists the notices that are not over
npm run notices -- test     sends a notice by email and webhook
npm run notices -- silence KEY DATE    sends none about a problem until a day, such as 2027-06-12`;

const [command, key = '', until = ''] = commandLine(USAGE, { maxWords: 3 }).words;
loadInstalledSettings();
const read = readSettings(process.env);
const silentUntil = parseCalendarDate(until) === null ? null : Date.parse(until);
if (!['status', 'test', 'silence'].includes(command ?? '') || (command === 'silence' && silentUntil === null))
  fail(installedUsage(USAGE));
else if (read.kind === 'refused') fail(read.message);
else if (command === 'status') await status(read.settings);
else if (silentUntil !== null) await silence(read.settings, silentUntil);
else await test(read.settings);

async function status({ config }: Settings): Promise<void> {
  if (!(await requireStore(config.store))) return;
  try {
    await using database = openDatabaseForReading(config.store);
    const sent = [...(await readOpenNotices(database)).values()].filter(({ isSent }) => isSent);
    for (const { key: of, since, title, text, silentUntil: silent } of sent) {
      const end = silent === null ? '' : ` Silent until ${new Date(silent).toISOString().slice(0, 10)}.`;
      console.log(`${new Date(since).toISOString()}  ${title}. ${text} (${of})${end}`);
    }
    if (sent.length === 0) console.log('There is nothing to report.');
  } catch (error) {
    fail(`The store cannot be read: ${errorMessage(error)}.`);
  }
}

async function silence({ config }: Settings, silentUntil: number): Promise<void> {
  if (!(await requireStore(config.store))) return;
  const database = await openDatabase(config.store);
  try {
    const notice = (await readOpenNotices(database)).get(key);
    if (notice === undefined) return fail(`There is no open problem '${key}'.`);
    await saveNotice(database, key, { ...notice, silentUntil });
    console.log(`There will be no notice about '${key}' until ${until}.`);
  } finally {
    await database.close();
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
    isBeingSent: false,
    sentAt: null,
    silentUntil: null,
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
