import { findBestPerHotel } from './find-best-per-hotel.ts';
import { findEveryOffer } from './find-every-offer.ts';
import type { FoundPage, PackageQuestion } from './package-repository.ts';
import type { AskStore, SearchStore } from './search-store.ts';

/** A page of what a question finds, whatever the engine; `storeOf` makes the store that asks by the given way. */
export async function findPage(
  question: PackageQuestion,
  ask: AskStore,
  storeOf: (ask: AskStore) => SearchStore,
): Promise<FoundPage> {
  let statements = 0;
  const store = storeOf((sql, values) => {
    statements += 1;
    return ask(sql, values);
  });
  const departures = await store.departures(question);
  const find = question.collapse === 'hotel' ? findBestPerHotel : findEveryOffer;
  const found = await find(store, question, departures);
  return { ...found, statements };
}
