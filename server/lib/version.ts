import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Skylark's version, as in `package.json` and CHANGELOG.md. */
export const VERSION = version;
