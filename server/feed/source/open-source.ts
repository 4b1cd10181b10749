import { createWriteStream, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FeedFault } from '../formats/raw-row.ts';
import { fetchFeed } from './fetch-feed.ts';

/** A feed as a file of this machine. */
export interface FeedFile {
  path: string;
  /** Packed bytes. */
  size: number;
  /** Removes what was made to hold it. */
  close(): void;
}

/**
 * Gets a feed: a file, `-` for what stands on the standard input, or an https address on the list. What is no file
 * becomes one first, so that a slow or broken line costs the store nothing and a zip can be read. It stands in a folder
 * that is the import's own: what a killed import left there goes.
 */
export async function openSource(
  name: string,
  {
    input,
    folder,
    hosts,
    onRead,
  }: {
    input: Readable;
    folder: string;
    hosts: readonly string[];
    onRead: (bytes: number, of: number | null) => void;
  },
): Promise<FeedFile> {
  const close = () => rmSync(folder, { recursive: true, force: true });
  close();
  if (isPath(name)) return ownFile(name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'feed');
  try {
    if (name === '-') await pipeline(input, createWriteStream(path, { mode: 0o600 }));
    else await fetchFeed(name, path, { hosts, onRead });
    return { path, size: statSync(path).size, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Whether it names a file, and not the standard input or an address. */
export function isPath(name: string): boolean {
  return name !== '-' && !/^[a-z][a-z\d+.-]+:/i.test(name);
}

function ownFile(path: string): FeedFile {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new FeedFault(`There is no file ${path}.`);
  if (!found.isFile()) throw new FeedFault(`${path} is no file: give a file, or - and pipe it in.`);
  return { path, size: found.size, close: () => {} };
}
