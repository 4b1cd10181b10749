import { readCommandLine } from '../lib/command-line.ts';
import type { JobSource } from './feed-job.ts';
import { FEED_FORMATS } from './formats/feed-format.ts';

/** The help of commands that take any source. */
export const SOURCE_HELP = `  npm run feed -- import SOURCE [--provider CODE] [--format FORMAT] [--mapping FILE] [--accept]
  npm run feed -- check SOURCE [--provider CODE] [--format FORMAT] [--mapping FILE]

SOURCE is a file, - for standard input, or an https URL whose host is in FEED_HOSTS. It may be plain, gzip or zip.
FORMAT is ${FEED_FORMATS.join(', ')}. Without --format it is detected from the feed. The mapped formats need a mapping.
--provider is optional if providers.json has only one. --accept imports whatever the guardrails say.
Providers are listed in providers.json (or PROVIDERS_FILE). See docs/feeds.md.

Exit codes: 0 done; 1 failed, nothing changed; 2 usage error; 3 held for review, nothing changed; 4 another import is running or the store is locked, nothing changed.
`;

/** What the command accepts. */
export const FEED_LINE = {
  maxWords: 2,
  options: {
    provider: null,
    format: null,
    mapping: null,
    accept: false,
    yes: false,
    all: false,
    /** For the server's schedule: does the due work, unless another server has done it. */
    'if-due': false,
  },
} as const;

interface SourceArguments {
  provider: string;
  source: JobSource;
  isAccepted: boolean;
}

interface ProviderArguments {
  provider: string;
  isSure: boolean;
}

export type FeedCommand =
  | ({ kind: 'import' } & SourceArguments)
  | ({ kind: 'check' } & SourceArguments)
  | { kind: 'propose'; source: string }
  | { kind: 'status' }
  | { kind: 'schedule' }
  | { kind: 'run'; providers: readonly string[] }
  | { kind: 'work'; provider: string }
  | {
      [Kind in (typeof FOR_PROVIDER)[number]]: { kind: Kind } & ProviderArguments;
    }[(typeof FOR_PROVIDER)[number]];

export type FeedArguments = FeedCommand | { kind: 'help' } | { kind: 'wrong'; message: string };

const FOR_PROVIDER = ['show', 'accept', 'discard', 'remove', 'rollback'] as const;

/**
 * Parses the command line. `codes` are the providers of providers.json: `--provider` defaults to the only
 * one, except for `remove`. A source that is a provider's code means the feed in its block. `scheduled` are
 * the providers of `run --all`.
 */
export function parseFeedArguments(
  words: readonly string[],
  codes: readonly string[],
  scheduled: readonly string[],
): FeedArguments {
  const wrong = (message: string): FeedArguments => ({ kind: 'wrong', message });
  const parsed = readCommandLine({ ...FEED_LINE, args: words });
  if (parsed.kind !== 'given') return parsed;
  const [command, first] = parsed.words;
  const { mapping, accept: isAccepted, yes, all, format: formatName } = parsed.options;
  if (command === undefined) return { kind: 'help' };
  if (command === 'status' || command === 'schedule') return { kind: command };
  if (command === 'propose' && first !== undefined) return { kind: 'propose', source: first };
  if (command === 'run' && all) return { kind: 'run', providers: scheduled };
  const forProvider = FOR_PROVIDER.find((one) => one === command);
  const takesCode = forProvider !== undefined || command === 'run';
  const only = codes.length === 1 && command !== 'remove' ? codes[0] : undefined;
  const isCode = first !== undefined && (takesCode || codes.includes(first));
  const provider = parsed.options.provider ?? (isCode ? first : only);
  if (provider === undefined) {
    return wrong(`The provider is missing: --provider ${codes.length === 0 ? 'CODE' : codes.join(' or ')}.`);
  }
  if (command === 'run')
    return parsed.options['if-due'] ? { kind: 'work', provider } : { kind: 'run', providers: [provider] };
  if (forProvider !== undefined) return { kind: forProvider, provider, isSure: yes };
  if (command !== 'import' && command !== 'check') return wrong(`Unknown command ${command}.`);
  if (first === undefined)
    return wrong("The source is missing: a provider's code, a file, - or an https URL.");
  const format = FEED_FORMATS.find((one) => one === formatName) ?? null;
  if (formatName !== null && format === null) {
    return wrong(`Unknown format ${formatName}. The formats are ${FEED_FORMATS.join(', ')}.`);
  }
  const source: JobSource = isCode ? { kind: 'block' } : { kind: 'named', name: first, format, mapping };
  return { kind: command, provider, source, isAccepted };
}
