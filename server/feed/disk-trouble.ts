import { resolve, sep } from 'node:path';
import { errorMessage } from '../lib/error-message.ts';
import { freeBytesOf, knownFreeBytes, NO_ROOM } from '../lib/free-bytes.ts';
import { diskFaultOf } from '../storage/disk-fault.ts';

/**
 * What is wrong with the data folder's disk, and what to do; null if an error has another cause. Call it
 * after the import's files are removed, because their space counts as free.
 */
export function diskTrouble(
  error: unknown,
  dataDir: string,
  freeBytes: typeof freeBytesOf = freeBytesOf,
): string | null {
  const fault = diskFaultOf(error);
  if (fault === null || !isAbout(error, dataDir)) return null;
  const where = `${resolve(dataDir)} (DATA_DIR)`;
  const because = errorMessage(error);
  if (fault === 'not writable') {
    return `${where} is not writable (${because}). Make it writable for the user that runs this command, or set DATA_DIR to another folder`;
  }
  const bytes = knownFreeBytes(dataDir, freeBytes);
  const free = bytes === null ? '' : ` After clean-up, ${sizeOf(bytes)} is free.`;
  if (fault === 'full' || (bytes !== null && bytes < NO_ROOM)) {
    return `the disk of ${where} is full (${because}).${free} Free some space there, or set DATA_DIR to a folder on a larger disk`;
  }
  return `the disk of ${where} cannot be read or written (${because}).${free} Check the disk, or set DATA_DIR to a folder on another one`;
}

/** Whether an error is about the data folder. Errors about other files, such as the feed, name a path elsewhere. */
function isAbout(error: unknown, dataDir: string): boolean {
  if (!(error instanceof Error) || !('path' in error) || typeof error.path !== 'string') return true;
  return `${resolve(error.path)}${sep}`.startsWith(`${resolve(dataDir)}${sep}`);
}

function sizeOf(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
