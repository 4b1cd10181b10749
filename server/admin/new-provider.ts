import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import * as v from 'valibot';
import { readFeedSettings } from '../feed/feed-settings.ts';
import { parseMapping } from '../feed/formats/mapped/mapping.ts';
import { FeedFault } from '../feed/formats/raw-row.ts';
import { type ParsedProviders, parseProviders } from '../feed/map/holiday-providers.ts';
import { proposeForFile } from '../feed/propose/propose-for-file.ts';
import { mappingText } from '../feed/propose/propose-mapping.ts';
import { copySource } from '../feed/source/fetch-block.ts';
import type { AdminCommands } from './admin-commands.ts';
import { mappingFile, type NewProvider, type Trial } from './new-provider-page.ts';

/** How long a sample is kept for further checks, and how many. */
const SAMPLE_MS = 60 * 60_000;
const MAX_SAMPLES = 10;

const text = v.fallback(v.pipe(v.string(), v.trim()), '');

const form = v.object({
  token: text,
  code: text,
  name: text,
  source: text,
  sample: text,
  mapping: v.fallback(v.nullable(v.string()), null),
  file: v.fallback(v.nullable(v.instance(File)), null),
});

export type NewProviderForm = v.InferOutput<typeof form>;

/** The fields of a form with a file. */
export async function readNewProviderForm(body: unknown, contentType = ''): Promise<NewProviderForm> {
  const bytes = body instanceof Uint8Array ? new Uint8Array(body) : new Uint8Array();
  try {
    const data = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
    return v.parse(form, Object.fromEntries(data));
  } catch {
    return v.parse(form, {});
  }
}

export interface NewProvidersOptions {
  /** The folders of the lists that visitors choose from. */
  lists: { locations: string; airports: string };
  checkFeed: AdminCommands['checkFeed'];
  now: () => number;
}

/** Proposes mappings for samples, and checks them. Keeps samples for an hour, and imports nothing. */
export function newProviders({ lists, checkFeed, now }: NewProvidersOptions) {
  /** The folders of samples, by their ids. */
  const samples = new Map<string, { folder: string; at: number }>();

  function dropOld(most: number): void {
    for (const [id, { folder, at }] of samples) {
      if (samples.size <= most && now() - at < SAMPLE_MS) break;
      samples.delete(id);
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** The folder of the form's sample. Throws a FeedFault that says what is missing. */
  async function sampleOf({
    sample,
    file,
    source,
  }: NewProviderForm): Promise<{ id: string; folder: string }> {
    const known = samples.get(sample);
    if (known !== undefined) return { id: sample, folder: known.folder };
    if (sample !== '') throw new FeedFault('The sample has been deleted: give it again.');
    dropOld(MAX_SAMPLES - 1);
    const id = randomBytes(16).toString('hex');
    const folder = mkdtempSync(join(tmpdir(), 'skylark-sample-'));
    samples.set(id, { folder, at: now() });
    const path = join(folder, 'sample');
    if (file !== null && file.size > 0) writeFileSync(path, await file.bytes());
    else if (source.startsWith('https://')) {
      const feeds = readFeedSettings(process.env);
      const hosts = feeds.kind === 'refused' ? [] : feeds.settings.hosts;
      await copySource(source, path, { hosts, input: Readable.from([]), onRead: async () => {} });
    } else throw new FeedFault('Choose a file, or give an https address.');
    return { id, folder };
  }

  return {
    /** Throws a FeedFault that says what to correct. */
    async try(entered: NewProviderForm): Promise<Trial> {
      refuseBad(parseProviders({ providers: [entryOf(entered, ['www.example.com'], null)] }, 'The entry'));
      const { id, folder } = await sampleOf(entered);
      const path = join(folder, 'sample');
      const { reasons, missing, hosts, ...proposal } = await proposeForFile(path, lists, now());
      const proposed = proposal.mapping && mappingText(proposal.mapping);
      const mapping = entered.mapping ?? proposed;
      const isProposed = mapping === proposed;
      const entry = entryOf(entered, hosts.length > 0 ? hosts : ['www.example.com'], mapping);
      const trial = {
        sample: id,
        // The reasons are those of the proposal, not of the operator's own mapping.
        reasons: isProposed ? reasons : [],
        missing: isProposed ? missing : [],
        mapping,
        block: JSON.stringify(entry, null, 2),
      };
      try {
        if (mapping !== null) parseMapping(mapping, 'The mapping');
      } catch (error) {
        if (!(error instanceof FeedFault)) throw error;
        return { ...trial, check: error.message, exit: 1 };
      }
      const feeds = readFeedSettings(process.env);
      const airports = feeds.kind === 'refused' ? [] : feeds.settings.providers.airports;
      const feed = { ...entry.feed, source: 'sample' };
      const file = join(folder, 'providers.json');
      writeFileSync(file, JSON.stringify({ providers: [{ ...entry, feed }], airports }));
      if (mapping !== null) writeFileSync(join(folder, mappingFile(entered.code)), mapping);
      const { exit, said } = await checkFeed(entered.code, file);
      const check = said.trim() === '' ? 'The check could not run: see the log.' : said.trim();
      return { ...trial, check, exit };
    },
    close: () => dropOld(-1),
  };
}

function refuseBad(parsed: ParsedProviders): void {
  if (parsed.kind === 'refused') throw new FeedFault(parsed.message);
}

/** A provider's entry of providers.json. Without a schedule, nothing is imported by itself. */
function entryOf({ code, name, source }: NewProvider, linkHosts: readonly string[], mapping: string | null) {
  const url = source === '' ? `feeds/${code.toLowerCase()}/*` : source;
  const feed = { source: url, ...(mapping !== null && { mapping: mappingFile(code) }) };
  return { code, name, linkHosts, feed };
}
