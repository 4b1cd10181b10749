import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { errorMessage } from './error-message.ts';
import { installedCommand } from './installed-command.ts';

/**
 * A command's options with their defaults. A value has the type of its default: a number or a text. Null
 * stands for a text without a default, and false for an option that takes no value.
 */
export type OptionDefaults = Readonly<Record<string, number | string | false | null>>;

export type Options<D extends OptionDefaults> = {
  [Name in keyof D]: D[Name] extends number
    ? number
    : D[Name] extends false
      ? boolean
      : D[Name] extends string
        ? string
        : string | null;
};

interface Given<D extends OptionDefaults> {
  options: Options<D>;
  /** The arguments that are not options. */
  words: string[];
}

/** What a command accepts beside `--help`. */
interface Accepted<D extends OptionDefaults> {
  options?: D;
  /** How many arguments that are not options. */
  maxWords?: number;
  args?: readonly string[];
}

/**
 * Reads the arguments of a command, such as `--seconds 5 --fresh`. Call it before doing anything else: `--help`
 * prints `usage` and exits with 0, and anything that the command does not know exits with 2.
 */
export function commandLine<const D extends OptionDefaults = Record<never, never>>(
  usage: string,
  accepted: Accepted<D> = {},
): Given<D> {
  const read = readCommandLine(accepted);
  if (read.kind === 'given') return read;
  const text = installedUsage(usage);
  if (read.kind === 'help') process.stdout.write(`${text}\n`);
  else process.stderr.write(`${read.message}\n\n${text}\n`);
  process.exit(read.kind === 'help' ? 0 : 2);
}

/** A usage that names the installed command where there is one. */
export function installedUsage(usage: string): string {
  if (process.env.NODE_ENV !== 'production') return usage;
  return usage.replaceAll(/npm run ([\w:]+)( --(?= ))?/g, (_, name: string) => installedCommand(name));
}

/** As `commandLine`, without exiting. */
export function readCommandLine<const D extends OptionDefaults = Record<never, never>>({
  options: defaults,
  maxWords = 0,
  args = process.argv.slice(2),
}: Accepted<D>): ({ kind: 'given' } & Given<D>) | { kind: 'help' } | { kind: 'wrong'; message: string } {
  const entries = Object.entries<OptionDefaults[string]>({ ...defaults, help: false });
  const known = entries.map(([name, value]) => {
    const short = { help: { short: 'h' }, yes: { short: 'y' } }[name];
    return [name, { type: value === false ? 'boolean' : 'string', ...short }] as const;
  });
  try {
    const { values, positionals: words } = parseArgs({
      args: [...args],
      options: Object.fromEntries(known),
      allowPositionals: maxWords > 0,
    });
    if (values.help === true) return { kind: 'help' };
    if (words.length > maxWords) throw new Error(`Unexpected argument: ${words.slice(maxWords).join(' ')}.`);
    const options = entries.map(([name, value]) => [name, optionOf(name, value, values[name])]);
    // Safe, because each value has the type of its default.
    return { kind: 'given', options: Object.fromEntries(options) as Options<D>, words };
  } catch (error) {
    return { kind: 'wrong', message: `${errorMessage(error)}.` };
  }
}

function optionOf(name: string, byDefault: OptionDefaults[string], given: string | boolean | undefined) {
  if (given === undefined) return byDefault;
  if (typeof byDefault !== 'number') return given;
  const number = given === '' ? Number.NaN : Number(given);
  if (!(number >= 0 && number < Number.POSITIVE_INFINITY)) {
    throw new Error(`--${name} takes a number of at least 0 (got "${given}").`);
  }
  return number;
}

/**
 * Asks for confirmation before a command removes something, unless `--yes` is set. Without a terminal, prints
 * how to confirm and returns false.
 */
export async function isConfirmed(
  question: string,
  isSure: boolean,
  {
    input = process.stdin,
    print = (line: string) => console.error(line),
  }: { input?: Readable & { isTTY?: boolean }; print?: (line: string) => void } = {},
): Promise<boolean> {
  if (isSure) return true;
  if (input.isTTY !== true) {
    print(`${question} Not done: add --yes to confirm.`);
    return false;
  }
  const terminal = createInterface({ input, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  const isYes = /^y(es)?$/i.test(answer.trim());
  if (!isYes) print('Nothing was changed.');
  return isYes;
}
