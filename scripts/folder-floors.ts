import type { Floors } from './folder-rules.ts';

/**
 * Folders from the top floor to the bottom: a map of the product. Code imports from floors below, so
 * readers can tell what a change may affect; unit tests may import anything. Page and server share only `domain`, which
 * the compiler keeps free of the DOM, Node.js and React, and which reads no clock: `today` is an argument.
 */
export const FOLDER_FLOORS: Floors = [
  // Not part of the product
  ['bench'],
  ['tests'],
  ['scripts'],

  // The server: entry points
  ['server/cli'],
  ['server/cli/alerts'],
  ['server/doctor'],
  ['server/conditions/setup'],
  ['server'],
  ['server/workers'],
  ['server/admin'],

  // Features
  ['server/metrics', 'server/sample', 'server/notices', 'server/vitals'],
  ['server/conditions'],
  ['server/backup'],
  ['server/alerts/http'],
  ['server/alerts'],
  ['server/alerts/manage', 'server/alerts/outbox'],
  ['server/alerts/inbound'],
  ['server/alerts/sign-up', 'server/alerts/status'],
  ['server/alerts/delivery', 'server/visits', 'server/price-record'],
  ['server/feed', 'server/photos'],
  ['server/feed/attempts', 'server/feed/propose'],
  ['server/feed/source', 'server/feed/write'],
  ['server/feed/map'],
  ['server/feed/formats', 'server/ingest'],
  ['server/alerts/providers'],
  ['server/alerts/rendering'],
  ['server/alerts/matching'],
  ['server/package-search/graphql'],
  ['server/package-search/fields'],
  ['server/package-search/items', 'server/package-search/store'],
  ['server/package-search/tokens', 'server/package-search/blocks'],
  ['server/package-search/query'],
  ['server/alerts/texts'],
  ['server/alerts/tables', 'server/price-history'],
  ['server/alerts/keys'],
  ['server/price-history/model'],

  // Foundations of the features
  ['server/inventory/tables'],
  ['server/storage/open'],
  ['server/storage/citus'],
  ['server/storage/sqlite', 'server/storage/postgres'],
  ['server/storage', 'server/page'],
  ['server/inventory', 'server/http', 'server/environment'],
  ['server/lib'],

  // The page
  ['web'],
  ['web/shortlist/page'],
  ['web/search-form', 'web/results', 'web/recent-searches', 'web/explore', 'web/assistant'],
  ['web/map'],
  ['web/alerts', 'web/price-history'],
  ['web/search'],
  ['web/price-analysis', 'web/brand', 'web/vitals'],
  ['web/config', 'web/shortlist'],
  ['web/data'],
  ['web/ui'],
  ['widget'],

  // Rules shared by all of them
  ['domain'],

  // Data files
];
