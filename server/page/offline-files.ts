import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file in the built page's folder. Its line `const KEPT = null;` is a placeholder. */
export const SERVICE_WORKER = 'service-worker.js';

const PLACEHOLDER = /^const KEPT = .*$/m;

/** Code, styles, typefaces and drawings, without the map. */
const KEPT_FILE =
  /^(?:(?:start|hotel)\.js|(?:assets|widget)\/(?!HolidayMap|maplibre).*\.(?:js|css|svg|woff2))$/;

/** The built files that the worker keeps. */
export function keptFiles(builtPage: string): string[] {
  return readdirSync(builtPage, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => KEPT_FILE.test(name))
    .sort();
}

/**
 * The service worker's script, with what it keeps for use offline: the documents by URL, the built files, and
 * the brand's files. Its revision is a hash of them, so that another build or brand installs a new worker.
 */
export function fillServiceWorker(
  builtPage: string,
  documents: ReadonlyMap<string, string>,
  brandUrls: readonly (string | null)[],
): string {
  const hash = createHash('sha256');
  for (const html of documents.values()) hash.update(html);
  const names = keptFiles(builtPage);
  for (const name of names) hash.update(readFileSync(join(builtPage, name)));
  const kept = {
    revision: hash.digest('hex').slice(0, 12),
    documents: [...documents.keys()],
    files: [...names.map((name) => `/${name}`), ...brandUrls.filter((url) => url !== null)],
  };
  return readFileSync(join(builtPage, SERVICE_WORKER), 'utf8').replace(
    PLACEHOLDER,
    () => `const KEPT = ${JSON.stringify(kept)};`,
  );
}
