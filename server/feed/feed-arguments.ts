import { parseArgs } from 'node:util';
import { FEED_FORMATS, type FormatName } from './formats/feed-format.ts';

export const FEED_HELP = `Imports providers' feeds.

  npm run feed -- import SOURCE [--provider CODE] [--format FORMAT] [--mapping FILE] [--accept]
  npm run feed -- check SOURCE [--provider CODE] [--format FORMAT] [--mapping FILE]
  npm run feed -- status
  npm run feed -- remove --provider CODE

SOURCE is a file, - for standard input, or an https URL whose host is in FEED_HOSTS. It may be plain, gzip or zip.
FORMAT is ${FEED_FORMATS.join(', ')}. Without --format it is detected from the feed. The mapped formats need a mapping.
--provider is optional if providers.json has only one. check reports what an import would do and changes nothing.
--accept imports a feed that was kept for review.
Providers are listed in providers.json (or PROVIDERS_FILE). See docs/feeds.md.

Exit codes: 0 done; 1 failed, nothing changed; 2 usage error; 3 kept for review, nothing changed; 4 another import is running or the store is locked, nothing changed.
`;

export interface ImportCommand {
  kind: 'import' | 'check';
  source: string;
  provider: string;
  /** null: detected. */
  format: FormatName | null;
  mapping: string | null;
  accept: boolean;
}

export type FeedCommand = ImportCommand | { kind: 'status' } | { kind: 'remove'; provider: string };

export type FeedArguments = FeedCommand | { kind: 'help' } | { kind: 'wrong'; message: string };

/**
 * Parses the command line. `codes` are the providers of providers.json: `--provider` defaults to the only
 * one, except for `remove`.
 */
export function parseFeedArguments(words: readonly string[], codes: readonly string[]): FeedArguments {
  const wrong = (message: string): FeedArguments => ({ kind: 'wrong', message });
  let parsed: ReturnType<typeof parseWords>;
  try {
    parsed = parseWords(words);
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  const [command, source, ...more] = positionals;
  if (values.help === true || command === undefined) return { kind: 'help' };
  if (more.length > 0) return wrong(`Unexpected argument: ${more.join(' ')}.`);
  if (command === 'status') return { kind: 'status' };
  const { mapping = null, accept = false } = values;
  const only = codes.length === 1 && command !== 'remove' ? codes[0] : undefined;
  const provider = values.provider ?? only;
  if (provider === undefined) {
    return wrong(`The provider is missing: --provider ${codes.length === 0 ? 'CODE' : codes.join(' or ')}.`);
  }
  if (command === 'remove') return { kind: 'remove', provider };
  if (command !== 'import' && command !== 'check') return wrong(`Unknown command ${command}.`);
  if (source === undefined) return wrong('The source is missing: a file, - or an https URL.');
  const format = FEED_FORMATS.find((one) => one === values.format) ?? null;
  if (values.format !== undefined && format === null) {
    return wrong(`Unknown format ${values.format}. The formats are ${FEED_FORMATS.join(', ')}.`);
  }
  return { kind: command, source, provider, format, mapping, accept };
}

function parseWords(words: readonly string[]) {
  return parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      provider: { type: 'string' },
      format: { type: 'string' },
      mapping: { type: 'string' },
      accept: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
}
