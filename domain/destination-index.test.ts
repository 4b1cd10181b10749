import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DestinationOption, DestinationTuple } from './destination.ts';
import { destinationCode } from './destination.ts';
import {
  countOptions,
  type DestinationIndex,
  destinationLabel,
  indexDestinations,
  optionAt,
  withOtherNames,
} from './destination-index.ts';
import { packDestinationIndex, unpackDestinationIndex } from './destination-index-transfer.ts';
import { matchDestinations } from './destination-search.ts';
import { foldText } from './fold-text.ts';
import { namedDestination } from './named-destination.ts';

function indexOf(...tuples: DestinationTuple[]) {
  return indexDestinations(
    tuples.map(([country, region, resort]) => ({
      country,
      region,
      resort,
      code: destinationCode(country, region, resort),
    })),
  );
}

const EUROPE = indexOf(
  ['Spain', 'Costa Blanca', 'Benidorm'],
  ['Spain', 'Costa Blanca', 'Albir'],
  ['Spain', 'Costa del Sol', 'Málaga'],
  ['Spain', 'Tenerife', 'Costa Adeje'],
  ['Spain', 'Majorca', 'Palma Nova'],
  ['Spain', 'Majorca', "Cala d'Or"],
  ['Portugal', 'Algarve', 'Praia da Rocha'],
  ['Portugal', 'Madeira', 'Funchal'],
  ['Costa Rica', 'Guanacaste', 'Playa Conchal'],
  ['Greece', 'Crete', 'Malia'],
  ['Turkey', 'Aegean Coast', 'Kuşadası'],
  ['Denmark', 'Zealand', 'Helsingør'],
);

const optionsOf = (index: DestinationIndex) =>
  Array.from({ length: countOptions(index) }, (_, at) => optionAt(index, at));

const labels = (text: string, index = EUROPE, limit?: number) =>
  matchDestinations(index, text, limit).options.map(({ label }) => label);

describe('destinationLabel', () => {
  it.each([
    [['Spain', '', ''], 'Spain (any region/any resort)'],
    [['Spain', 'Costa Blanca', ''], 'Costa Blanca, Spain'],
    [['Spain', 'Costa Blanca', 'Benidorm'], 'Benidorm, Costa Blanca, Spain'],
    [['Malta', '', 'Sliema'], 'Sliema, Malta'],
    [['', '', ''], ''],
  ] as const)('%j is %s', (tuple, label) => {
    expect(destinationLabel(tuple)).toBe(label);
  });
});

describe('indexDestinations', () => {
  // @proves 2.5
  it('offers each country, region and resort once: countries, then regions, then resorts, each alphabetically', () => {
    const index = indexOf(
      ['Spain', 'Ibiza', 'San Antonio'],
      ['Italy', '', ''],
      ['Spain', 'Costa Blanca', 'Benidorm'],
      ['Spain', 'Costa Blanca', 'Álbir'],
      ['Malta', '', 'Sliema'],
      ['Greece', 'Crete', ''],
    );
    expect(optionsOf(index).map(({ kind, tuple }) => [kind, ...tuple])).toEqual([
      ['country', 'Greece', '', ''],
      ['country', 'Italy', '', ''],
      ['country', 'Malta', '', ''],
      ['country', 'Spain', '', ''],
      ['region', 'Spain', 'Costa Blanca', ''],
      ['region', 'Greece', 'Crete', ''],
      ['region', 'Spain', 'Ibiza', ''],
      ['resort', 'Spain', 'Costa Blanca', 'Álbir'],
      ['resort', 'Spain', 'Costa Blanca', 'Benidorm'],
      ['resort', 'Spain', 'Ibiza', 'San Antonio'],
      ['resort', 'Malta', '', 'Sliema'],
    ]);
  });

  it('keeps the first spelling of a place', () => {
    const index = indexOf(
      ['Spain', 'Sur', 'Nerja'],
      ['SPAIN', 'SUR', 'Frigiliana'],
      ['spain', 'sur', 'NERJA'],
    );
    expect(optionsOf(index).map(({ label }) => label)).toEqual([
      'Spain (any region/any resort)',
      'Sur, Spain',
      'Frigiliana, Sur, Spain',
      'Nerja, Sur, Spain',
    ]);
  });

  it('keeps places with the same name apart', () => {
    const index = indexOf(['Spain', 'Centro', 'Rosa'], ['Portugal', 'Centro', 'Rosa']);
    expect(labels('rosa', index)).toEqual(['Rosa, Centro, Portugal', 'Rosa, Centro, Spain']);
    expect(labels('centro', index).slice(0, 2)).toEqual(['Centro, Portugal', 'Centro, Spain']);
  });
});

describe('A packed index', () => {
  it('unpacks to the same index from a few values', () => {
    const packed = packDestinationIndex(EUROPE);
    expect(unpackDestinationIndex(structuredClone(packed))).toEqual(EUROPE);
    const pieces = [...Object.values({ ...packed, names: '' }), ...Object.values(packed.names)];
    for (const piece of pieces) expect(typeof piece === 'string' || ArrayBuffer.isView(piece)).toBe(true);
  });

  it('keeps blank names, and names of any script', () => {
    const index = indexOf(['Malta', '', 'Sliema'], ['日本', '', ''], ['Ελλάδα', 'Κρήτη', 'Μάλια']);
    const unpacked = unpackDestinationIndex(packDestinationIndex(index));
    expect(optionsOf(unpacked)).toEqual(optionsOf(index));
  });
});

describe('matchDestinations, without typing errors', () => {
  // @proves 2.7
  it('ranks countries, then regions, then resorts, then matches by a parent', () => {
    expect(labels('costa')).toEqual([
      'Costa Rica (any region/any resort)',
      'Costa Blanca, Spain',
      'Costa del Sol, Spain',
      'Costa Adeje, Tenerife, Spain',
      'Albir, Costa Blanca, Spain',
      'Benidorm, Costa Blanca, Spain',
      'Guanacaste, Costa Rica',
      'Málaga, Costa del Sol, Spain',
      'Playa Conchal, Guanacaste, Costa Rica',
    ]);
  });

  it('puts names that start with the text first in their rank, and sorts by alphabet after that', () => {
    const index = indexOf(
      ['Spain', 'Sur', 'Cala Mar'],
      ['Spain', 'Sur', 'Marbella'],
      ['Spain', 'Sur', 'Álamar'],
      ['Spain', 'Sur', 'Mármoles'],
      ['Spain', 'Sur', 'Marina'],
    );
    expect(labels('mar', index)).toEqual([
      'Marbella, Sur, Spain',
      'Marina, Sur, Spain',
      'Mármoles, Sur, Spain',
      'Álamar, Sur, Spain',
      'Cala Mar, Sur, Spain',
    ]);
  });

  it.each([
    ['BENIDORM', 'Benidorm, Costa Blanca, Spain'],
    ['  benidorm ', 'Benidorm, Costa Blanca, Spain'],
    ['malaga', 'Málaga, Costa del Sol, Spain'],
    ['MÁLAGA', 'Málaga, Costa del Sol, Spain'],
    ['kusadasi', 'Kuşadası, Aegean Coast, Turkey'],
    ['helsingor', 'Helsingør, Zealand, Denmark'],
    ['cala dor', "Cala d'Or, Majorca, Spain"],
    ['enidor', 'Benidorm, Costa Blanca, Spain'],
    ['benidorm spain', 'Benidorm, Costa Blanca, Spain'],
    ['spain benidorm', 'Benidorm, Costa Blanca, Spain'],
    ['Benidorm, Costa Blanca, Spain', 'Benidorm, Costa Blanca, Spain'],
    ['albir blanca', 'Albir, Costa Blanca, Spain'],
  ])('%j finds only %s', (text, label) => {
    expect(matchDestinations(EUROPE, text)).toMatchObject({ options: [{ label }], total: 1 });
  });

  it('ranks an option whose name spans several levels before the options inside it', () => {
    const expected = ['Costa Blanca, Spain', 'Albir, Costa Blanca, Spain', 'Benidorm, Costa Blanca, Spain'];
    expect(labels('costa blanca, spain')).toEqual(expected);
    expect(labels('costa blanca sp')).toEqual(expected);
  });

  it('finds a country by its label', () => {
    for (const end of [' (any region/any resort)', ' (ANY region/any reso', ' (any ', ' (']) {
      expect(labels(`Portugal${end}`)[0]).toBe('Portugal (any region/any resort)');
    }
  });

  it('returns every option in list order for blank text', () => {
    for (const text of ['', '   ']) {
      expect(matchDestinations(EUROPE, text, 1_000)).toEqual({
        options: optionsOf(EUROPE),
        total: countOptions(EUROPE),
      });
    }
  });

  it('returns at most the limit, 50 by default, and the number of all matches', () => {
    const many = indexOf(...Array.from({ length: 80 }, (_, at) => ['Spain', 'Sur', `Villa ${at}`] as const));
    expect(matchDestinations(many, 'villa').options).toHaveLength(50);
    expect(matchDestinations(many, 'villa', 3)).toMatchObject({ total: 80, options: [{}, {}, {}] });
    expect(matchDestinations(many, '').options).toHaveLength(50);
    expect(matchDestinations(many, '').total).toBe(82);
    expect(matchDestinations(many, 'spain', 2)).toMatchObject({ total: 82, options: [{}, {}] });
  });

  it.each(['qzqzqz', '???', '\\', 'x'.repeat(100_000), 'qz '.repeat(50_000), '(qz.*)'])(
    'finds nothing for hostile text (%#)',
    (text) => {
      expect(matchDestinations(EUROPE, text)).toEqual({ options: [], total: 0 });
    },
  );

  // @proves 2.6
  it('matches only options with the text in a name, and ranks them', () => {
    const name = fc.string({ unit: fc.constantFrom(...'abÁ '), minLength: 1, maxLength: 4 }).map((text) => {
      return text.trim() || 'a';
    });
    const tuples = fc.array(fc.tuple(name, name, name), { minLength: 1, maxLength: 15 });
    fc.assert(
      fc.property(tuples, fc.constantFrom('a', 'b', 'ab', 'ba', 'aa', 'á'), (rows, text) => {
        const index = indexOf(...rows);
        const folded = foldText(text);
        const own = { country: 0, region: 1, resort: 2 } as const;
        const rankOf = ({ kind, tuple }: DestinationOption) => {
          const ownName = foldText(tuple[own[kind]]);
          return ownName.includes(folded) ? 2 * own[kind] + (ownName.startsWith(folded) ? 0 : 1) : 6;
        };
        const expected = optionsOf(index).filter(({ tuple }) =>
          tuple.some((n) => foldText(n).includes(folded)),
        );
        const { options, total } = matchDestinations(index, text, 1_000);
        if (expected.length === 0) return;
        expect(total).toBe(expected.length);
        expect(new Set(options)).toEqual(new Set(expected));
        const { compare } = new Intl.Collator('en-GB');
        options.slice(1).forEach((option, at) => {
          const before = options[at] ?? option;
          const rise = rankOf(option) - rankOf(before);
          const names = [before.tuple[own[before.kind]], option.tuple[own[option.kind]]] as const;
          expect(rise > 0 || (rise === 0 && compare(...names) <= 0)).toBe(true);
        });
      }),
      { numRuns: 500 },
    );
  });
});

describe('matchDestinations with typos', () => {
  it.each([
    ['tenrife', 'Tenerife, Spain'],
    ['tenrif', 'Tenerife, Spain'],
    ['Tennerife', 'Tenerife, Spain'],
    ['benidrom', 'Benidorm, Costa Blanca, Spain'],
    ['venidorn', 'Benidorm, Costa Blanca, Spain'],
    ['costa blnca', 'Costa Blanca, Spain'],
    ['csota blnca', 'Costa Blanca, Spain'],
    ['portugla', 'Portugal (any region/any resort)'],
    ['málgaa', 'Málaga, Costa del Sol, Spain'],
    ['palmanova', 'Palma Nova, Majorca, Spain'],
    ['benidrom spain', 'Benidorm, Costa Blanca, Spain'],
  ])('%j finds %s first', (text, label) => {
    expect(labels(text)[0]).toBe(label);
  });

  it('keeps the ranks: matches only by a parent come last', () => {
    expect(labels('tenrife')).toEqual(['Tenerife, Spain', 'Costa Adeje, Tenerife, Spain']);
  });

  it('tolerates no typing errors if anything matches exactly', () => {
    const index = indexOf(['Spain', 'Sur', 'Malaga'], ['Greece', 'Crete', 'Malia'], ['Malta', '', '']);
    expect(labels('malia', index)).toEqual(['Malia, Crete, Greece']);
  });

  it.each(['crt', 'xyz', 'tnrfe', 'bnidrmo', 'csota blnac spian'])('finds nothing for %j', (text) => {
    expect(labels(text)).toEqual([]);
  });

  it('ranks fewer typing errors before more', () => {
    const index = indexOf(['Spain', 'Sur', 'Marinellas'], ['Spain', 'Sur', 'Marinettas']);
    expect(labels('marinetlas', index)).toEqual(['Marinellas, Sur, Spain', 'Marinettas, Sur, Spain']);
    expect(labels('marinetaas', index)).toEqual(['Marinettas, Sur, Spain', 'Marinellas, Sur, Spain']);
  });
});

const CALLED = withOtherNames(EUROPE, {
  Turkey: ['Türkiye'],
  Tenerife: ['Canary Islands', 'Isla Costera'],
  Madeira: ['Canary Islands'],
  'costa blanca': ['White Coast'],
  Nowhere: ['Benidorm'],
  '': ['Blank'],
  Spain: ['', '!'],
});

describe('other names', () => {
  it.each([
    ['türkiye', ['Turkey (any region/any resort)', 'Aegean Coast, Turkey', 'Kuşadası, Aegean Coast, Turkey']],
    ['TURKIY', ['Turkey (any region/any resort)', 'Aegean Coast, Turkey', 'Kuşadası, Aegean Coast, Turkey']],
    ['turkyie', ['Turkey (any region/any resort)', 'Aegean Coast, Turkey', 'Kuşadası, Aegean Coast, Turkey']],
    ['kusadasi turkiye', ['Kuşadası, Aegean Coast, Turkey']],
    ['white coast', ['Costa Blanca, Spain', 'Albir, Costa Blanca, Spain', 'Benidorm, Costa Blanca, Spain']],
    ['islands funchal', ['Funchal, Madeira, Portugal']],
    ['nowhere spain', []],
  ])('%j finds %j', (text, expected) => {
    expect(labels(text, CALLED)).toEqual(expected);
  });

  it("match at the level of the place, after matches of the list's own names", () => {
    expect(labels('cost', CALLED)).toEqual([
      'Costa Rica (any region/any resort)',
      'Costa Blanca, Spain',
      'Costa del Sol, Spain',
      'Tenerife, Spain',
      'Costa Adeje, Tenerife, Spain',
      ...labels('cost').slice(4),
    ]);
  });

  it('have no effect on a text that matches none of them', () => {
    const text = fc.constantFrom('spain', 'cala', 'benidrom', 'algarve praia', 'a', 'mal', '');
    fc.assert(
      fc.property(text, (typed) => {
        const plain = matchDestinations(EUROPE, typed);
        const called = matchDestinations(CALLED, typed);
        if (typed !== 'a') expect(called).toEqual(plain);
        expect(called.total).toBeGreaterThanOrEqual(plain.total);
      }),
    );
  });
});

describe('namedDestination', () => {
  const MALTA = indexOf(
    ['Malta', 'Malta', 'Malta'],
    ['Malta', 'Gozo', 'Xlendi'],
    ['United States', 'Montana', 'Malta'],
    ['Jordan', 'Amman', 'Amman'],
    ['Spain', 'Centro', 'Rosa'],
    ['Portugal', 'Centro', 'Rosa'],
    ['Spain', 'Sur', 'Córdoba'],
    ['Mexico', 'Córdoba', 'Orizaba'],
    ['Malta', '', 'Sliema'],
    ['???', '', ''],
  );
  const named = (text: string, index = MALTA) => namedDestination(index, text)?.label ?? null;

  it.each([
    ['Malta', 'Malta (any region/any resort)'],
    [' mALTA ', 'Malta (any region/any resort)'],
    ['Malta (any region/any resort)', 'Malta (any region/any resort)'],
    ['Malta, Montana', 'Malta, Montana, United States'],
    ['malta united states', 'Malta, Montana, United States'],
    ['Gozo', 'Gozo, Malta'],
    ['Gozo, Malta', 'Gozo, Malta'],
    ['amman', 'Amman, Jordan'],
    ['Amman, Amman, Jordan', 'Amman, Jordan'],
    ['xlendi malta', 'Xlendi, Gozo, Malta'],
    ['sliema, malta', 'Sliema, Malta'],
    ['rosa, spain', 'Rosa, Centro, Spain'],
    ['cordoba mexico', 'Córdoba, Mexico'],
  ])('%j is %s', (text, label) => {
    expect(named(text)).toBe(label);
  });

  it.each(['', ' ', '???', 'malt', 'maltaa', 'rosa', 'centro', 'cordoba', 'rosa centro', 'malta jordan'])(
    'returns null for %j, which names no place or several',
    (text) => {
      expect(named(text)).toBeNull();
    },
  );

  it('resolves an alternative name of a single place, unless the list has a place of that name', () => {
    expect(named('Türkiye', CALLED)).toBe('Turkey (any region/any resort)');
    expect(named('canary islands', CALLED)).toBeNull();
    expect(named('benidorm', CALLED)).toBe('Benidorm, Costa Blanca, Spain');
  });

  it('resolves every unique label', () => {
    for (const index of [EUROPE, MALTA]) {
      const all = optionsOf(index).map(({ label }) => label);
      for (const label of all) {
        if (foldText(label) !== 'any region any resort') expect(named(label, index), label).toBe(label);
      }
    }
  });
});
