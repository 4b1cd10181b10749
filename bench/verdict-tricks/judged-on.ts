import { type PanelPackage, randomSample } from '../back-test/market-panel.ts';
import { type BackTestMarket, inMarket } from '../back-test/markets.ts';
import { type JudgedPackage, verdictInputs } from '../back-test/verdict-outcomes.ts';
import { FIRST_FOLD_DAY, judgedPanel, trainedBefore } from '../back-test/walk-forward.ts';

const TRAINED_ON = 12_000;

/** The departures that a model is trained on, in days from its day: as in the back-test. */
const DEPARTURES = { first: 15, last: 239 };

/** Packages of a market at random with what the product knows of them on the day after the first fold's. */
export function judgedOn(
  panel: readonly PanelPackage[],
  market: BackTestMarket,
  { seed, packages }: { seed: number; packages: number },
): JudgedPackage[] {
  const day = FIRST_FOLD_DAY;
  const onSale = inMarket(panel, market, seed, day).filter(
    ({ priced: { departureDay } }) =>
      departureDay >= day + DEPARTURES.first && departureDay <= day + DEPARTURES.last,
  );
  const train = randomSample(onSale, Math.floor(TRAINED_ON / market.seenEvery), seed, day);
  const model = trainedBefore(day + 1, { train, seed, seenEvery: market.seenEvery });
  const nearby = judgedPanel(market, seed, day);
  return verdictInputs(randomSample(nearby, packages, seed, day + 2), nearby, model, day + 1, seed);
}
