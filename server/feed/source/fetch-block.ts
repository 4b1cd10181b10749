import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { errorMessage } from '../../lib/error-message.ts';
import { FeedFault } from '../formats/raw-row.ts';
import { type FeedBlock, type FeedSource, sourceKind } from '../map/feed-block.ts';
import { fetchFeed, type HttpVersion } from './fetch-feed.ts';
import type { BlockFetch, Fetched } from './fetched.ts';
import { copyNewest } from './folder-source.ts';

/** Fetches a provider's feed as its block says. Throws a FeedFault that quotes no secret. */
export async function fetchBlock(feed: FeedBlock, order: BlockFetch): Promise<Fetched> {
  const source: FeedSource = feed.source;
  const secrets = readSecrets(feed, order.folder);
  switch (sourceKind(source.url)) {
    case 'http':
      return overHttp(source.url.replace('{token}', encodeURIComponent(secrets.token ?? '')), order, () =>
        Promise.resolve({ ...source.headers, ...authorization(feed, secrets, source.url) }),
      );
    case 's3':
      return overHttp(objectUrl(source), order, () => signedHeaders(source, feed, secrets));
    case 'folder':
    case null:
      return copyNewest(isAbsolute(source.url) ? source.url : join(order.folder, source.url), order);
  }
}

interface Secrets {
  password?: string | undefined;
  token?: string | undefined;
}

function readSecrets({ credentials }: FeedBlock, folder: string): Secrets {
  const read = (name: string | undefined) => {
    if (name === undefined) return undefined;
    const path = isAbsolute(name) ? name : join(folder, name);
    try {
      return readFileSync(path, 'utf8').trim();
    } catch (error) {
      throw new FeedFault(`The credentials ${path} cannot be read: ${errorMessage(error)}.`, {
        cause: error,
      });
    }
  };
  return {
    password: read(credentials.passwordFile),
    token: read(credentials.tokenFile),
  };
}

async function overHttp(
  url: string,
  { path, hosts, known, onRead, pause }: BlockFetch,
  headers: () => Promise<Readonly<Record<string, string>>>,
): Promise<Fetched> {
  const version = await fetchFeed(url, path, {
    hosts,
    onRead,
    isOwn: true,
    headers,
    known: known === null ? null : (JSON.parse(known) as HttpVersion),
    ...(pause === undefined ? {} : { pause }),
  });
  if (version === 'unchanged') return { kind: 'unchanged' };
  const isKnown = version.etag !== null || version.modified !== null;
  const modifiedAt = version.modified === null ? Number.NaN : Date.parse(version.modified);
  return {
    kind: 'fetched',
    version: isKnown ? JSON.stringify(version) : null,
    modifiedAt: Number.isNaN(modifiedAt) ? null : modifiedAt,
  };
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

/** An object's URL by its path, which every S3-compatible service understands. */
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
