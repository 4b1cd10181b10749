import { expect, it } from 'vitest';
import { STORE_KINDS } from '../fixtures/test-stores.ts';
import { compareWithDefinition } from './suites/search-watch-oracle.ts';

it.each(STORE_KINDS)(
  'A thousand watches of searches send what their definition says over 100,000 changes, in the %s store',
  async (store) => {
    const { fired, sent } = await compareWithDefinition(store, {
      watches: 1_000,
      imports: 117,
      changes: 1_000,
      seed: 2,
    });
    expect(fired).toBeGreaterThan(1_000);
    expect(sent).toBeGreaterThan(500);
  },
  3_600_000,
);
