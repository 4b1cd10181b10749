import { describe, expect, it } from 'vitest';
import { parseDestinations } from './destination.ts';
import { indexDestinations } from './destination-index.ts';
import { findDestination } from './find-destination.ts';

const INDEX = indexDestinations(
  parseDestinations(
    [
      'country,region,resort',
      'Spain,Costa Blanca,Benidorm',
      'Spain,Andalucía,Málaga',
      'Spain,Murcia,Santiago',
      'Chile,Central,Santiago',
      'Malta,,Sliema',
    ].join('\n'),
  ),
);

describe('findDestination', () => {
  it.each([
    [
      ['Spain', '', ''],
      ['Spain', '', ''],
    ],
    [
      ['spain', 'COSTA blanca', ''],
      ['Spain', 'Costa Blanca', ''],
    ],
    [
      ['Spain', 'Andalucia', 'malaga'],
      ['Spain', 'Andalucía', 'Málaga'],
    ],
    [
      ['', '', 'benidorm'],
      ['', '', 'Benidorm'],
    ],
    [
      ['Chile', '', 'Santiago'],
      ['Chile', '', 'Santiago'],
    ],
    [
      ['Malta', '', 'Sliema'],
      ['Malta', '', 'Sliema'],
    ],
  ] as const)('finds %j as %j', (tuple, found) => {
    expect(findDestination(INDEX, tuple)).toEqual(found);
  });

  it.each([
    [['Atlantis', '', '']],
    [['Spain', 'Crete', '']],
    [['Greece', '', 'Benidorm']],
    [['Benidorm', '', '']],
    [['', 'Spain', '']],
    [['Spain', '<>', '']],
    [['<>', '', 'Benidorm']],
    [['', '', '']],
  ] as const)('does not find %j', (tuple) => {
    expect(findDestination(INDEX, tuple)).toBeNull();
  });
});
