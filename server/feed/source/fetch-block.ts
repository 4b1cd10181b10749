import { constants, copyFileSync, createWriteStream, globSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AwsV4Signer } from 'aws4fetch';
import { errorMessage } from '../../lib/error-message.ts';
import { FeedFault } from '../formats/raw-row.ts';
import { type FeedBlock, type FeedSource, sourceKind } from '../map/feed-block.ts';
import { type BlockFetch, type Fetched, type FetchSetting, fetchFeed } from './fetch-feed.ts';
import { readOwnFile } from './read-own-file.ts';
import { fetchBySftp } from './sftp-source.ts';

/** Fetches a provider's feed as its block says. Throws a FeedFault that quotes no secret. */
export async function fetchBlock(feed: FeedBlock, order: BlockFetch): Promise<Fetched> {
  const { source } = feed;
  const secrets = readSecrets(feed, order.folder);
  const { path, ...setting } = order;
  switch (sourceKind(source.url)) {
    case 'http':
      return fetchFeed(source.url.replace('{token}', encodeURIComponent(secrets.token ?? '')), path, {
        ...setting,
        headers: async () => ({ ...source.headers, ...authorization(feed, secrets, source.url) }),
      });
    case 's3':
      return fetchFeed(objectUrl(source), path, {
        ...setting,
        headers: () => signedHeaders(source, feed, secrets),
      });
    case 'sftp':
      return fetchBySftp(feed, order);
    case 'folder':
    case null:
      return copyNewest(resolve(order.folder, source.url), order);
  }
}

type Secrets = ReturnType<typeof readSecrets>;

function readSecrets({ credentials }: FeedBlock, folder: string) {
  const read = (name: string | undefined) =>
    name === undefined ? undefined : readOwnFile('credentials', resolve(folder, name)).trim();
  return { password: read(credentials.passwordFile), token: read(credentials.tokenFile) };
}

function authorization(
  { credentials: { user, header } }: FeedBlock,
  { password, token }: Secrets,
  url: string,
): Record<string, string> {
  if (token !== undefined && !url.includes('{token}')) {
    return header === undefined ? { authorization: `Bearer ${token}` } : { [header]: token };
  }
  if (user === undefined || password === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

const DEFAULT_REGION = 'eu-west-2';

/** An object's URL in path style, which every S3-compatible service understands. */
function objectUrl({ url, endpoint, region = DEFAULT_REGION }: FeedSource): string {
  const { hostname, pathname } = new URL(url);
  return `${(endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/$/, '')}/${hostname}${pathname}`;
}

async function signedHeaders(
  source: FeedSource,
  { credentials: { user = '' } }: FeedBlock,
  { password = '' }: Secrets,
): Promise<Record<string, string>> {
  const signer = new AwsV4Signer({
    url: objectUrl(source),
    accessKeyId: user,
    secretAccessKey: password,
    service: 's3',
    region: source.region ?? DEFAULT_REGION,
  });
  const { headers } = await signer.sign();
  return Object.fromEntries(headers);
}

/** Copies the newest file that matches a pattern such as `/srv/feeds/alfa/*.csv.gz`. */
async function copyNewest(pattern: string, { path, cachedVersion, onRead }: BlockFetch): Promise<Fetched> {
  try {
    const files = globSync(pattern).map((name) => {
      const { mtimeMs, size } = statSync(name);
      return { name, mtimeMs, size };
    });
    const [newest] = files.toSorted(
      (one, other) => other.mtimeMs - one.mtimeMs || other.name.localeCompare(one.name),
    );
    if (newest === undefined) throw new FeedFault(`There is no file ${pattern}.`);
    const version = `${newest.name} ${newest.mtimeMs} ${newest.size}`;
    if (version === cachedVersion) return { kind: 'unchanged' };
    copyFileSync(newest.name, path, constants.COPYFILE_FICLONE);
    await onRead(newest.size);
    return { kind: 'fetched', version, modifiedAt: Math.floor(newest.mtimeMs) };
  } catch (error) {
    if (error instanceof FeedFault) throw error;
    throw new FeedFault(`The feed ${pattern} cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
}

/**
 * Copies a feed that an operator names (a file, `-` for standard input, or an https URL) to `path`, because zips
 * can only be read from files, and a slow connection would delay the import.
 */
export async function copySource(
  name: string,
  path: string,
  { input, ...setting }: Pick<FetchSetting, 'hosts' | 'onRead'> & { input: Readable },
): Promise<Fetched> {
  if (name !== '-' && !isPath(name)) return fetchFeed(name, path, setting);
  if (name === '-') await pipeline(input, createWriteStream(path, { mode: 0o600 }));
  return { kind: 'fetched', version: null, modifiedAt: name === '-' ? null : copyOwnFile(name, path) };
}

/** Whether a source is a file rather than standard input or a URL. */
export function isPath(name: string): boolean {
  return name !== '-' && !/^[a-z][a-z\d+.-]+:/i.test(name);
}

/** Returns when the file was last changed. */
function copyOwnFile(name: string, path: string): number {
  try {
    const { mtimeMs } = statSync(name);
    copyFileSync(name, path, constants.COPYFILE_FICLONE);
    return Math.floor(mtimeMs);
  } catch (error) {
    throw new FeedFault(`The feed cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
}
