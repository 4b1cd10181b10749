import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { parseConfig } from '../config.ts';
import { readSettings } from '../settings.ts';
import { readBrandFolder } from './brand-folder.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

function put(name: string, content: string | object): void {
  writeFileSync(join(folder.path, name), typeof content === 'string' ? content : JSON.stringify(content));
}

function refusal(): string {
  const read = readBrandFolder(folder.path);
  return read.kind === 'refused' ? read.message : read.kind;
}

describe('A brand’s folder', () => {
  it('may be empty', () => {
    expect(parseConfig({ BRAND_DIR: folder.path })).toMatchObject({ config: { brandName: 'Skylark' } });
  });

  it('provides defaults for variables that are not set', () => {
    put('brand.json', {
      name: 'Seaward',
      code: 'SEA',
      providerName: 'Seaward Travel',
      providerUrl: 'https://www.seaward.example/',
      priceAnalysisUrl: 'none',
      footerText: 'Seaward is a trading name.',
      colours: { action: '#aa2200' },
    });
    put('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    put('locations.csv', 'country,region,resort\nSpain,Costa Blanca,Benidorm\n');
    put('other-names.csv', 'place,other_name\nSpain,España\n');
    expect(parseConfig({ BRAND_DIR: folder.path, BRAND_CODE: 'MINE', PROVIDER_NAME: '' })).toMatchObject({
      config: {
        brandName: 'Seaward',
        brandCode: 'MINE',
        providerName: 'Seaward Travel',
        providerUrl: 'https://www.seaward.example/',
        priceAnalysisUrl: null,
        brand: {
          footerText: 'Seaward is a trading name.',
          colours: { action: { light: '#aa2200', dark: '#aa2200' } },
          logo: { url: expect.stringMatching(/^\/brand\/logo-[\da-f]{8}\.svg$/), type: 'image/svg+xml' },
          lists: { locations: folder.path, airports: null },
          otherNames: { Spain: ['España'] },
        },
      },
    });
  });

  it('causes a warning for colours with too little contrast', () => {
    put('brand.json', { colours: { action: '#aabbcc' } });
    const read = readSettings({ BRAND_DIR: folder.path });
    expect(read).toMatchObject({
      settings: { warnings: [expect.stringContaining('has a contrast of 1.9')] },
    });
  });

  it.each<[string, () => void, string]>([
    [
      'an unknown name',
      () => put('brand.json', { colour: 'red' }),
      'unknown name colour. The names are name,',
    ],
    ['an empty name', () => put('brand.json', { name: ' ' }), 'name must be text of at most 60 characters.'],
    [
      'a colour that is none',
      () => put('brand.json', { colours: { sun: 'red' } }),
      'colours.sun must be a colour such as',
    ],
    [
      'a script for an address',
      () => put('brand.json', { providerUrl: 'javascript:alert(1)' }),
      'providerUrl must be an http or https URL with a host name of letters, digits, dots and hyphens.',
    ],
    ['no JSON', () => put('brand.json', '{'), 'JSON'],
    ['a list', () => put('brand.json', '[]'), 'brand.json must be a JSON object (got a list).'],
    [
      'a picture of megabytes',
      () => put('logo.png', 'x'.repeat(300_000)),
      'logo.png must be at most 200 kB.',
    ],
    [
      'an airport without an IATA code',
      () => put('departure-airports.csv', 'London,LOND,1\nGatwick,GATW\n'),
      'its code GATW for Gatwick is not an IATA code',
    ],
    ['a list without a row', () => put('locations.csv', 'country,region,resort\n'), 'has no valid row.'],
    ['airports without a row', () => put('departure-airports.csv', '\n'), 'has no valid row.'],
    [
      'other names without their columns',
      () => put('other-names.csv', 'Spain,España\n'),
      'other-names.csv: The list of other names has no column named place or other_name in its header row.',
    ],
    ['a folder for a file', () => mkdirSync(join(folder.path, 'brand.json')), 'EISDIR'],
  ])('is refused for %s', (_, make, words) => {
    make();
    expect(refusal()).toContain(words);
    expect(parseConfig({ BRAND_DIR: folder.path })).toEqual({ kind: 'refused', message: refusal() });
  });

  it('must be a folder', () => {
    expect(parseConfig({ BRAND_DIR: '/nowhere' })).toEqual({
      kind: 'refused',
      message: 'BRAND_DIR must be a folder (got "/nowhere").',
    });
  });
});
