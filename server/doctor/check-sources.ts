import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { type FeedBlock, sourceKind } from '../feed/map/feed-block.ts';
import type { ProvidersFile } from '../feed/map/holiday-providers.ts';
import { sftpTrouble } from '../feed/source/sftp-source.ts';
import { errorMessage } from '../lib/error-message.ts';
import { installedCommand } from '../lib/installed-command.ts';
import type { DoctorEnvironment } from './environment.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

/** Checks that the files of each provider's feed and price check can be read, and that the feed's host responds. */
export async function checkSources(
  environment: DoctorEnvironment,
  { providers, folder }: ProvidersFile,
): Promise<Finding[]> {
  const findings = providers.flatMap(({ code, feed }) =>
    feed === null ? [] : [checkSource(environment, code, feed, folder)],
  );
  const secrets = providers.flatMap(({ code, priceCheck }) => {
    const file = priceCheck?.secretFile;
    return file === undefined || isReadable(resolve(folder, file))
      ? []
      : [unreadable(`The price check of ${code}`, file)];
  });
  return [...(await Promise.all(findings)).flat(), ...secrets];
}

function unreadable(what: string, files: string): Finding {
  return bad(
    `${what} needs ${files}, which cannot be read.`,
    'Put it there, readable by the user that runs Skylark, or correct providers.json.',
  );
}

async function checkSource(
  { reach }: DoctorEnvironment,
  code: string,
  { source, mapping, credentials }: FeedBlock,
  folder: string,
): Promise<Finding[]> {
  const { passwordFile, tokenFile, keyFile } = credentials;
  const files = [mapping, passwordFile, tokenFile, keyFile].filter((file) => file !== undefined);
  const missing = files.filter((file) => !isReadable(resolve(folder, file)));
  if (missing.length > 0) return [unreadable(`The feed of ${code}`, missing.join(' and '))];
  const check = `Try the feed: ${installedCommand('feed', `check ${code}`)}.`;
  const kind = sourceKind(source.url);
  if (kind === 'sftp' && sftpTrouble() !== null)
    return [
      bad(
        `The feed of ${code} needs the program sftp, which is not installed.`,
        'Install the package openssh-client.',
      ),
    ];
  if (kind !== 'http') return [ok(`The files of ${code}'s feed can be read. ${check}`)];
  try {
    // Only the origin: a URL may contain a key.
    await reach(new URL(source.url).origin);
    return [ok(`The source of ${code}'s feed responds. ${check}`)];
  } catch (error) {
    return [warn(`The source of ${code}'s feed does not respond: ${errorMessage(error)}.`, check)];
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
