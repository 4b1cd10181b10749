import { describe, expect, it } from 'vitest';
import { readPhrasings, scorePhrasings, TABLES } from '../fixtures/alerts/phrasings/read-phrasings.ts';

it('The tables of phrasings have buttons', () => {
  const languages = TABLES.flatMap(readPhrasings).map(({ language }) => language);
  expect(languages.filter((language) => language === 'button').length).toBeGreaterThanOrEqual(5);
});

describe.each(TABLES)('The phrasings of %s', (file) => {
  const phrasings = readPhrasings(file);
  const score = scorePhrasings(phrasings);

  it('are at least 400, in English and six other languages', () => {
    expect(phrasings.length).toBeGreaterThanOrEqual(400);
    const languages = new Set(phrasings.map(({ language }) => language));
    expect([...languages]).toEqual(expect.arrayContaining(['en', 'fr', 'de', 'es', 'pl', 'pt', 'ro']));
  });

  it('are read as stops in 99 of 100 cases', () => {
    expect(score.read / score.stops).toBeGreaterThanOrEqual(0.99);
  });

  it('are taken for a stop wrongly in at most one of 100 cases', () => {
    expect(score.taken / score.others).toBeLessThanOrEqual(0.01);
  });

  it('are read as what they mean in 95 of 100 cases', () => {
    expect(score.exact / phrasings.length, JSON.stringify(score.wrong)).toBeGreaterThanOrEqual(0.95);
  });
});
