import { workerData } from 'node:worker_threads';
import { readFeedSettings } from '../feed/feed-settings.ts';
import { knownFreeBytes } from '../lib/free-bytes.ts';
import { log } from '../lib/log.ts';
import { serveWorker } from '../lib/worker-rpc.ts';
import { conditionsOfDisk, settingsRefused } from '../notices/conditions.ts';
import { noticeRuns } from '../notices/notice-runs.ts';
import { noticeSender } from '../notices/notice-sender.ts';
import type { NoticeWorkerApi, NoticeWorkerData } from '../notices/notices-in-thread.ts';
import { openDatabase } from '../storage/open/database.ts';

const { store, settings, site } = workerData as NoticeWorkerData;

const { run, close } = noticeRuns({
  openStore: () => openDatabase(store, { isExisting: true, interactive: true }),
  look() {
    // Reads providers.json again, which may have changed.
    const feeds = readFeedSettings(process.env);
    const freeBytes = store.kind === 'embedded' ? knownFreeBytes(store.dataDir) : null;
    return {
      conditions: [
        ...(feeds.kind === 'refused' ? [settingsRefused(feeds.message)] : []),
        ...conditionsOfDisk(freeBytes),
      ],
      providers: feeds.kind === 'refused' ? [] : feeds.settings.providers.providers.map(({ code }) => code),
      feedLateMs: settings.feedLateMs,
    };
  },
  send: noticeSender(settings, site, (line) => log.error(line)),
  log: (line) => log.error(line),
  now: Date.now,
});

serveWorker<NoticeWorkerApi>(() => ({ run }), close);
