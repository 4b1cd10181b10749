import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { readAdminFacts } from '../admin/admin-facts.ts';
import { ADMIN_PASSWORD_NOTE, hashPassword, MAX_PASSWORD, MIN_PASSWORD } from '../admin/admin-password.ts';
import { errorMessage } from '../lib/error-message.ts';
import { readSettings, type Settings } from '../settings.ts';
import { removeNote, writeNote } from '../storage/notes.ts';
import { openDatabase, openDatabaseForReading } from '../storage/open/database.ts';
import { fail } from './command-output.ts';
import { runAsOwner } from './run-as-owner.ts';

const USAGE = `npm run admin -- password           makes a password for /admin, which ends all sessions
npm run admin -- password --stdin   the same, with the password on standard input
npm run admin -- off                turns /admin off
npm run admin -- show               prints what /admin shows, as JSON`;

const words = process.argv.slice(2).join(' ');
const read = readSettings(process.env);
if (read.kind === 'refused') fail(read.message);
else if (!['password', 'password --stdin', 'off', 'show'].includes(words)) fail(USAGE);
else await run(read.settings);

async function run(settings: Settings): Promise<void> {
  runAsOwner(settings.config.store);
  try {
    if (words === 'show') show(settings);
    else if (words === 'off') turnOff(settings);
    else await setPassword(settings);
  } catch (error) {
    fail(`The store cannot be used: ${errorMessage(error)}.`);
  }
}

async function setPassword({ config }: Settings): Promise<void> {
  const isGiven = words.endsWith('--stdin');
  const password = isGiven
    ? (await text(process.stdin)).replace(/\r?\n$/, '')
    : randomBytes(15).toString('base64url');
  if (password.length < MIN_PASSWORD || password.length > MAX_PASSWORD) {
    return fail(`The password must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`);
  }
  const hash = await hashPassword(password);
  using database = openDatabase(config.store);
  writeNote(database, ADMIN_PASSWORD_NOTE, hash);
  console.log(
    isGiven
      ? 'The password of /admin is set.'
      : `The password of /admin is ${password}. It is not shown again.`,
  );
}

function turnOff({ config }: Settings): void {
  using database = openDatabase(config.store);
  removeNote(database, ADMIN_PASSWORD_NOTE);
  console.log('/admin is off.');
}

function show({ config, alerts, feeds, notices }: Settings): void {
  using database = openDatabaseForReading(config.store);
  const facts = readAdminFacts(database, config.store, {
    pencePerMessage: alerts.sending.pencePerMessage,
    feedLateMs: notices.feedLateMs,
    feeds,
    now: Date.now(),
  });
  console.log(JSON.stringify(facts, null, 2));
}
