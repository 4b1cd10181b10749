import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { readAdminFacts } from '../admin/admin-facts.ts';
import { ADMIN_PASSWORD_NOTE, hashPassword, MAX_PASSWORD, MIN_PASSWORD } from '../admin/admin-password.ts';
import { commandLine, installedUsage, isConfirmed } from '../lib/command-line.ts';
import { errorMessage } from '../lib/error-message.ts';
import { readSettings, type Settings } from '../settings.ts';
import { removeNote, writeNote } from '../storage/notes.ts';
import { openDatabase, openDatabaseForReading } from '../storage/open/database.ts';
import { fail } from './command-output.ts';
import { loadInstalledSettings, requireStore } from './command-store.ts';

const USAGE = `npm run admin -- password           makes a password for /admin, which ends all sessions
npm run admin -- password --stdin   the same, with the password on standard input
npm run admin -- off [--yes]        removes the password, which turns /admin off
npm run admin -- show               prints what /admin shows, as JSON`;

const { options, words } = commandLine(USAGE, { options: { stdin: false, yes: false }, maxWords: 1 });
const [command = ''] = words;
loadInstalledSettings();
const read = readSettings(process.env);
if (!['password', 'off', 'show'].includes(command) || (options.stdin && command !== 'password'))
  fail(installedUsage(USAGE));
else if (read.kind === 'refused') fail(read.message);
else await run(read.settings);

async function run(settings: Settings): Promise<void> {
  if (!(await requireStore(settings.config.store))) return;
  try {
    if (command === 'show') await show(settings);
    else if (command === 'off') await turnOff(settings);
    else await setPassword(settings);
  } catch (error) {
    fail(`The store cannot be used: ${errorMessage(error)}.`);
  }
}

async function setPassword({ config }: Settings): Promise<void> {
  const password = options.stdin
    ? (await text(process.stdin)).replace(/\r?\n$/, '')
    : randomBytes(15).toString('base64url');
  if (password.length < MIN_PASSWORD || password.length > MAX_PASSWORD) {
    return fail(`The password must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`);
  }
  const hash = await hashPassword(password);
  await using database = await openDatabase(config.store);
  await writeNote(database, ADMIN_PASSWORD_NOTE, hash);
  console.log(
    options.stdin
      ? 'The password of /admin is set.'
      : `The password of /admin is ${password}. It is not shown again.`,
  );
}

async function turnOff({ config }: Settings): Promise<void> {
  const question = 'This removes the password of /admin and ends all sessions.';
  if (!(await isConfirmed(question, options.yes))) return fail('/admin is unchanged.');
  await using database = await openDatabase(config.store);
  await removeNote(database, ADMIN_PASSWORD_NOTE);
  console.log('/admin is off.');
}

async function show({ config, alerts, feeds, notices }: Settings): Promise<void> {
  await using database = openDatabaseForReading(config.store);
  const facts = await readAdminFacts(database, config.store, {
    prices: alerts.sending,
    feedLateMs: notices.feedLateMs,
    feeds,
    now: Date.now(),
  });
  console.log(JSON.stringify(facts, null, 2));
}
