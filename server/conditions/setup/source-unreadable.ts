import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { sourceKind } from '../../feed/map/feed-block.ts';
import { sftpTrouble } from '../../feed/source/sftp-source.ts';
import { errorMessage } from '../../lib/error-message.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
import type { Condition } from '../condition.ts';
import type { DoctorView } from './doctor-view.ts';

export const SOURCE_UNREADABLE: Condition<DoctorView> = {
  id: 'source file',
  level: 'bad',
  sentence: 'A file that a feed or a price check needs cannot be read',
  remedy: 'Put it there, readable by the user that runs Skylark, or correct providers.json.',
  read: ({ feeds: { providers: file } }) =>
    file.providers.flatMap(({ code, feed, priceCheck }) => {
      const isMissing = (name: string | undefined) =>
        name !== undefined && !isReadable(resolve(file.folder, name));
      const { passwordFile, tokenFile, keyFile } = feed?.credentials ?? {};
      const missing = [feed?.mapping, passwordFile, tokenFile, keyFile].filter(isMissing);
      const secret = priceCheck?.secretFile;
      return [
        ...(missing.length > 0
          ? [{ sentence: `The feed of ${code} needs ${missing.join(' and ')}, which cannot be read` }]
          : []),
        ...(isMissing(secret)
          ? [{ sentence: `The price check of ${code} needs ${secret}, which cannot be read` }]
          : []),
      ];
    }),
};

export const SOURCE_SILENT: Condition<DoctorView> = {
  id: 'source',
  level: 'warn',
  sentence: "The source of $'s feed does not respond",
  remedy: 'Try the feed: {feed check $}.',
  async read({ reach, feeds: { providers: file } }) {
    const results = await mapInOrder(file.providers, async ({ code: subject, feed }) => {
      const kind = feed === null ? null : sourceKind(feed.source.url);
      const detail = kind === 'sftp' ? sftpTrouble() : null;
      if (detail !== null)
        return { subject, level: 'bad' as const, detail, remedy: 'Install the package openssh-client' };
      if (feed === null || kind !== 'http') return [];
      try {
        // Only the origin: a URL may contain a key.
        await reach(new URL(feed.source.url).origin);
        return `The source of ${subject}'s feed responds.`;
      } catch (error) {
        return { subject, detail: errorMessage(error) };
      }
    });
    return results.flat();
  },
};

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
