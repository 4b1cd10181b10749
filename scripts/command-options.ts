import { parseArgs } from 'node:util';

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

/**
 * Reads the options of a benchmark or long test, such as `--seconds 5 --fresh`. `--help` prints `usage` and
 * exits. Explains an unknown option or invalid number, and exits with 2.
 */
export function commandOptions<const D extends OptionDefaults>(
  usage: string,
  defaults: D,
  words: readonly string[] = process.argv.slice(2),
): Options<D> {
  if (words.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  const read = readOptions(defaults, words);
  if ('wrong' in read) {
    process.stderr.write(`${read.wrong}\n${usage}\n`);
    process.exit(2);
  }
  return read.options;
}

/** As `commandOptions`, without exiting: returns the options, or a sentence about what is wrong. */
export function readOptions<const D extends OptionDefaults>(
  defaults: D,
  words: readonly string[],
): { options: Options<D> } | { wrong: string } {
  const entries = Object.entries<OptionDefaults[string]>(defaults);
  const known = entries.map(
    ([name, value]) => [name, { type: value === false ? 'boolean' : 'string' }] as const,
  );
  try {
    const { values } = parseArgs({ args: [...words], options: Object.fromEntries(known) });
    const options = entries.map(([name, value]) => [name, optionOf(name, value, values[name])]);
    // Safe, because each value has the type of its default.
    return { options: Object.fromEntries(options) as Options<D> };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
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
