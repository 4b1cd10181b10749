import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import * as v from 'valibot';
import { type Airport, parseAirports } from '../../domain/airport.ts';
import { type BrandColours, BrandColoursSchema } from '../../domain/brand-colours.ts';
import { parseDestinations } from '../../domain/destination.ts';
import { type OtherNames, parseOtherNames } from '../../domain/other-names.ts';
import { HTTP_URL, isHttpUrl, isWidgetUrl, WIDGET_URL } from '../environment/values.ts';
import { errorMessage } from '../lib/error-message.ts';

/** What a brand's folder defines. All of it is optional. */
export interface Brand {
  variables: Readonly<Record<string, string>>;
  footerText: string | null;
  /** The footer's links. Null: use the default ones. */
  footerLinks: readonly FooterLink[] | null;
  colours: BrandColours | null;
  logo: BrandLogo | null;
  /** The folders of the brand's own lists; null if it has no such list. */
  lists: { locations: string | null; airports: string | null };
  /** The brand's alternative names of places; null if it has no such list. */
  otherNames: OtherNames | null;
}

export interface FooterLink {
  text: string;
  /** A path on this site, an https URL or a mailto: URL. */
  url: string;
}

interface BrandLogo {
  /** Its path on this server. Changes with its content. */
  url: string;
  type: string;
  content: Buffer;
}

export const NO_BRAND: Brand = {
  variables: {},
  footerText: null,
  footerLinks: null,
  colours: null,
  logo: null,
  lists: { locations: null, airports: null },
  otherNames: null,
};

export const LOCATIONS_LIST = 'locations.csv';
export const AIRPORTS_LIST = 'departure-airports.csv';
const OTHER_NAMES_LIST = 'other-names.csv';

/** Low, because every visitor loads the logo. */
const MAX_LOGO_BYTES = 200_000;

const LOGO_TYPES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

const text = (max: number) => {
  const expected = `text of at most ${max} characters`;
  return v.optional(v.pipe(v.string(expected), v.trim(), v.nonEmpty(expected), v.maxLength(max, expected)));
};
const url = (isOne: (value: string) => boolean, expected: string) =>
  v.optional(v.pipe(v.string(expected), v.check(isOne, expected)));

const FOOTER_URL = 'a path such as /privacy, an https URL, or mailto: and an email address';
const footerLink = v.strictObject({
  text: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(40)),
  url: v.pipe(v.string(), v.check(isFooterUrl, FOOTER_URL)),
});

const brandFile = v.strictObject({
  name: text(60),
  code: text(20),
  providerName: text(100),
  providerUrl: url(isHttpUrl, HTTP_URL),
  priceAnalysisUrl: url(isWidgetUrl, WIDGET_URL),
  footerText: text(600),
  footerLinks: v.optional(v.pipe(v.array(footerLink), v.maxLength(8, 'at most 8 links'))),
  colours: v.optional(BrandColoursSchema),
});

function isFooterUrl(url: string): boolean {
  return /^\/(?!\/)[^\s\\]*$/.test(url) || /^(https:\/\/|mailto:)\S+$/.test(url);
}

/** The environment variable of each name in brand.json. */
const VARIABLES = {
  name: 'BRAND_NAME',
  code: 'BRAND_CODE',
  providerName: 'PROVIDER_NAME',
  providerUrl: 'PROVIDER_URL',
  priceAnalysisUrl: 'PRICE_ANALYSIS_URL',
} as const;

/** Reads a brand's folder (docs/brand.md). An error names the file and the field. */
export function readBrandFolder(
  folder: string,
): { kind: 'brand'; brand: Brand } | { kind: 'refused'; message: string } {
  try {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new Error(`BRAND_DIR must be a folder (got "${folder}")`);
    }
    const file = readBrandFile(join(folder, 'brand.json'));
    const variables = Object.entries(VARIABLES).flatMap(([name, variable]) => {
      const value = file[name as keyof typeof VARIABLES];
      return value === undefined ? [] : [[variable, value]];
    });
    const locations = ownList(folder, LOCATIONS_LIST, (list) => parseDestinations(list).length);
    const airports = ownList(folder, AIRPORTS_LIST, (list) => airportsOf(list).length);
    return {
      kind: 'brand',
      brand: {
        variables: Object.fromEntries(variables),
        footerText: file.footerText ?? null,
        footerLinks: file.footerLinks ?? null,
        colours: file.colours ?? null,
        logo: readLogo(folder),
        lists: { locations, airports },
        otherNames: readOtherNames(folder),
      },
    };
  } catch (error) {
    return { kind: 'refused', message: `${errorMessage(error)}.` };
  }
}

/**
 * The alternative names of places in a folder's `other-names.csv`; null if it has none. Throws an Error that
 * names an invalid file.
 */
export function readOtherNames(folder: string): OtherNames | null {
  const path = join(folder, OTHER_NAMES_LIST);
  if (!existsSync(path)) return null;
  try {
    return parseOtherNames(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(path, { cause: error });
  }
}

function readBrandFile(path: string): v.InferOutput<typeof brandFile> {
  if (!existsSync(path)) return {};
  const raw: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (Array.isArray(raw)) throw new Error(`${path} must be a JSON object (got a list)`);
  const parsed = v.safeParse(brandFile, raw, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const name = v.getDotPath(issue) ?? 'the file';
  if (issue.type === 'strict_object') {
    throw new Error(
      `${path}: unknown name ${name}. The names are ${Object.keys(brandFile.entries).join(', ')}`,
    );
  }
  throw new Error(`${path}: ${name} must be ${issue.message}`);
}

function readLogo(folder: string): BrandLogo | null {
  for (const [ending, type] of Object.entries(LOGO_TYPES)) {
    const path = join(folder, `logo${ending}`);
    if (!existsSync(path)) continue;
    const content = readFileSync(path);
    if (content.length > MAX_LOGO_BYTES)
      throw new Error(`${path} must be at most ${MAX_LOGO_BYTES / 1_000} kB`);
    const version = createHash('sha256').update(content).digest('hex').slice(0, 8);
    return { url: `/brand/logo-${version}${extname(path)}`, type, content };
  }
  return null;
}

/** The airports of a list. Throws if one has no IATA code, which no feed could match. */
function airportsOf(list: string): Airport[] {
  const airports = parseAirports(list).filter(({ isRegion }) => !isRegion);
  const wrong = airports.find(({ code }) => !/^[A-Z]{3}$/.test(code));
  if (wrong !== undefined) throw new Error(`its code ${wrong.code} for ${wrong.name} is not an IATA code`);
  return airports;
}

/** The folder if it has its own list of this name, else null. Throws if the list is invalid. */
function ownList(folder: string, name: string, count: (list: string) => number): string | null {
  const path = join(folder, name);
  if (!existsSync(path)) return null;
  let found: number;
  try {
    found = count(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be used: ${errorMessage(error)}`, { cause: error });
  }
  if (found === 0) throw new Error(`${path} has no valid row`);
  return folder;
}
