import type { FastifyInstance } from 'fastify';
import type { AppAlerts } from './alerts/http/alerts-plugin.ts';
import type { HolidayProvider } from './feed/map/holiday-providers.ts';
import { PRICE_RECORD_ROOT } from './inventory/inventory-notes.ts';
import type { PackageRepository } from './package-search/query/package-repository.ts';
import { cachedPartiesOnSale } from './package-search/store/parties-on-sale.ts';
import { readOtherNames } from './page/brand-folder.ts';
import { type Precompressed, precompress, sendPrecompressed } from './page/precompressed.ts';
import { buildPageConfig, type PageConfig, type PageSetting } from './page-config.ts';

const FORM = { type: 'application/json; charset=utf-8', quality: 9 };

interface CurrentConfig {
  /** The inputs of `build`, which runs again if one of them changes. */
  of: readonly unknown[];
  build(): PageConfig;
}

export interface PageConfigOptions {
  repository: PackageRepository;
  setting: PageSetting;
  /** The operator's settings of providers. */
  providers: () => readonly HolidayProvider[];
  alerts: AppAlerts | null;
  /** The folder of the default lists. */
  lists: string;
  now: () => number;
}

/** The page's configuration from the settings, the catalogue and the parties on sale. */
export async function pageConfigPlugin(app: FastifyInstance, options: PageConfigOptions): Promise<void> {
  const { repository, setting, providers, alerts } = options;
  const otherNames = setting.brand.otherNames ?? readOtherNames(options.lists) ?? {};
  const offer = alerts && { ...alerts.config, webPushKey: alerts.webPushKey ?? null };
  const partiesOnSale = cachedPartiesOnSale(repository.partiesOnSale, options.now, (error) =>
    app.log.warn(error, 'The parties on sale could not be read'),
  );
  app.addHook('onListen', async () => void partiesOnSale());
  addPageConfigRoute(app, async () => {
    const known = providers();
    const catalogue = await repository.catalogue();
    const parties = partiesOnSale();
    const priceRecordRoot = await repository.readNote(PRICE_RECORD_ROOT);
    return {
      of: [catalogue.version, parties, known, priceRecordRoot],
      build: () =>
        buildPageConfig({ ...setting, otherNames, parties, priceRecordRoot }, catalogue, known, offer),
    };
  });
}

/**
 * Serves `/config.json`. Builds it only if its inputs change, and compresses it only if its text changes,
 * because it may list hundreds of parties.
 */
export function addPageConfigRoute(app: FastifyInstance, current: () => Promise<CurrentConfig>): void {
  const compressed = lastCompressed();
  let built: { of: readonly unknown[]; text: string } | null = null;

  function textOf({ of, build }: CurrentConfig): string {
    const isCurrent = built?.of.every((one, index) => one === of[index]) === true;
    if (built === null || !isCurrent) built = { of, text: JSON.stringify(build()) };
    return built.text;
  }

  app.get('/config.json', { compress: false, config: { isOpen: true } }, async (request, reply) =>
    sendPrecompressed(request, reply, await compressed(textOf(await current()))),
  );
}

/** Compresses a text, unless it is the same as the last one. */
function lastCompressed(): (text: string) => Promise<Precompressed> {
  let last: { text: string; compressed: Promise<Precompressed> } | null = null;

  return (text) => {
    if (last?.text === text) return last.compressed;
    const made = { text, compressed: precompress(text, FORM) };
    last = made;
    // After a failure, the next request compresses it again.
    made.compressed.catch(() => {
      if (last === made) last = null;
    });
    return made.compressed;
  };
}
