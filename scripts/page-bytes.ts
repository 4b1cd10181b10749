import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { keptFiles } from '../server/page/offline-files.ts';

/** A part of the built page, with its size and budget in bytes after Brotli compression. */
export interface PagePart {
  part: string;
  bytes: number;
  budget: number;
}

/** What a link to results loads in addition: results, filters, visit reports and the widget. */
const RESULTS_CHUNKS = [
  'LoadedResults',
  'keeping-client',
  'london-time',
  'search-filters',
  'search-service',
  'send-beacon',
  'use-fetched',
];
const WIDGET = 'widget/price-analysis.js';

/** The worker that indexes destination lists of more than 80,000 characters. */
const LIST_WORKER = 'index-destinations.worker';

const LAZY_PARTS = [
  { part: 'List search, with the first focus', name: 'list-search-chunk', budget: 5_000 },
  { part: 'Results, when a search is likely', name: 'LoadedResults', budget: 13_000 },
  { part: 'Filters, when opened', name: 'FilterSheet', budget: 4_000 },
  { part: 'Price history, when it is likely', name: 'PriceHistoryModal', budget: 5_000 },
  { part: 'Calendar, when a date is likely', name: 'DepartureCalendar', budget: 3_000 },
  { part: 'Prices of the calendar', name: 'CalendarPrices', budget: 1_500 },
  { part: 'Prices by month, when opened', name: 'MonthPrices', budget: 6_000 },
  { part: 'Prices by day, for both', name: 'price-width', budget: 2_000 },
  { part: 'Explore, on its page', name: 'ExploreContent', budget: 12_000 },
  { part: 'Shortlist, on its page', name: 'ShortlistContent', budget: 5_000 },
  { part: 'Maps of Explore and results', name: 'maps', budget: 29_000 },
  { part: 'Further photos, after an interaction', name: 'PhotoStrip', budget: 1_500 },
  { part: 'Kept searches, after one', name: 'KeptNote', budget: 1_000 },
  { part: 'Alert modal, when it is likely', name: 'AlertModal', budget: 5_000 },
  { part: 'Frame of modals', name: 'Modal', budget: 1_200 },
];

/** Measures a built page against its budgets. Throws if a part is missing. */
export function weighPage(folder: string): PagePart[] {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\/([^"]+\.(js|css|woff2))"/g)];
  const files = (ending: string) => named.flatMap(([, file = '', kind]) => (kind === ending ? [file] : []));
  const weigh = (names: readonly string[]) =>
    names.reduce((sum, name) => sum + weighFile(join(folder, name)), 0);
  const assets = readdirSync(join(folder, 'assets'));
  const filesOf = (name: string) => {
    const own = assets.filter((file) => /\.(js|css)$/.test(file) && file.startsWith(`${name}-`));
    if (own.length === 0)
      throw new Error(`assets/${name}-* is missing from the built page. Run npm run build`);
    return own.map((file) => join('assets', file));
  };
  const first = weigh(files('js'));
  const ofResults = first + weigh([...RESULTS_CHUNKS.flatMap(filesOf), WIDGET]);
  return [
    { part: 'JavaScript of the first load', bytes: first, budget: 100_000 },
    { part: 'JavaScript of a link to results', bytes: ofResults, budget: 122_000 },
    { part: 'HTML and CSS of the first load', bytes: weigh(['index.html', ...files('css')]), budget: 14_000 },
    { part: 'Typeface of the first load', bytes: weigh(files('woff2')), budget: 22_000 },
    { part: 'Kept for use offline', bytes: weigh(keptFiles(folder)), budget: 300_000 },
    { part: 'Worker for a long list', bytes: weigh(filesOf(LIST_WORKER)), budget: 3_000 },
    ...LAZY_PARTS.map(({ part, name, budget }) => ({ part, bytes: weigh(filesOf(name)), budget })),
  ];
}

/** The compressed size of a file. The smallest files are not compressed. */
function weighFile(file: string): number {
  const compressed = `${file}.br`;
  return statSync(existsSync(compressed) ? compressed : file).size;
}
