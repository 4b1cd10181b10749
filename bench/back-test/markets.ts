import { fromDayNumber } from '../../domain/calendar-date.ts';
import { monthOfDay } from '../../domain/month.ts';
import { isSchoolHoliday } from '../../domain/school-holidays.ts';
import { seededRandom } from '../../server/sample/seeded-random.ts';
import type { PanelPackage } from './market-panel.ts';

/** The sample's market, changed in a way that the price model does not expect. */
export interface BackTestMarket {
  name: string;
  /** A description of the change. */
  change: string;
  /** The factor of a package's price on each day. `foldDay` is the day on which a fold trains. */
  factorOf(seed: number, priced: PanelPackage['priced'], foldDay: number): (day: number) => number;
  /** Each package is seen only on every n-th day, so there are n times fewer prices to train on. */
  seenEvery: number;
}

/** The panel with a market's prices, as a fold that trains on `foldDay` sees them. */
export function inMarket(
  panel: readonly PanelPackage[],
  { factorOf }: BackTestMarket,
  seed: number,
  foldDay: number,
): PanelPackage[] {
  return panel.map(({ priced, goneOn, priceOn }) => {
    let factor: ((day: number) => number) | null = null;
    return {
      priced,
      goneOn,
      priceOn(day) {
        factor ??= factorOf(seed, priced, foldDay);
        return Math.max(1, Math.round(priceOn(day) * factor(day)));
      },
    };
  });
}

const HOLIDAY_FACTOR = 1.4;

const unchanged = () => () => 1;

export const BACK_TEST_MARKETS: readonly BackTestMarket[] = [
  { name: 'Sample', change: 'as the sample is generated', factorOf: unchanged, seenEvery: 1 },
  {
    name: 'Hotels 15%',
    change: 'hotels of the same stars differ by 15%',
    factorOf: (seed, { hotel }) => always(Math.exp(0.15 * normal(seed, hotel, 1))),
    seenEvery: 1,
  },
  {
    name: 'Hotels 25%',
    change: 'hotels of the same stars differ by 25%',
    factorOf: (seed, { hotel }) => always(Math.exp(0.25 * normal(seed, hotel, 1))),
    seenEvery: 1,
  },
  {
    name: 'Late holidays',
    change: 'holiday prices begin and end ten days later than the holidays',
    factorOf: (_, { departureDay }) => always(holidayFactor(departureDay - 10) / holidayFactor(departureDay)),
    seenEvery: 1,
  },
  {
    name: 'Sparse',
    change: 'only a fifth of the packages to learn from and compare with, each seen every fifth day',
    factorOf: unchanged,
    seenEvery: 5,
  },
  {
    name: 'Parties',
    change: 'prices for parties other than two adults differ by 12% from hotel to hotel',
    factorOf: (seed, { hotel, party }) =>
      always(party === 1 ? 1 : Math.exp(0.12 * normal(seed, hotel, party, 4))),
    seenEvery: 1,
  },
  {
    name: 'Cycles',
    change: 'two of five providers cost 15% more on four days of every seven',
    factorOf:
      (_, { provider }) =>
      (day) =>
        provider <= 2 && (day + provider) % 7 < 4 ? 1.15 : 1,
    seenEvery: 1,
  },
  {
    name: 'Restless',
    change:
      'one provider costs 12% more on five days of every ten, the others change by 6% on random days, and each hotel costs 10% more on two days of its own in every seven',
    factorOf: (seed, { provider, hotel }) => {
      const weekendFrom = Math.floor(seededRandom(seed, hotel, 5) * 7);
      return (day) =>
        ((day + weekendFrom) % 7 < 2 ? 1.1 : 1) *
        (provider === 1 ? (day % 10 < 5 ? 1.12 : 1) : steppedFactor(seed, provider, day));
    },
    seenEvery: 1,
  },
  {
    name: 'Shift',
    change: 'the whole market costs 15% more from three days before each fold',
    factorOf: (_, __, foldDay) => (day) => (day > foldDay - 3 ? 1.15 : 1),
    seenEvery: 1,
  },
  {
    name: 'Rough',
    change:
      'hotels differ by 20%, by 8% in each season and by 6% for each board, packages by 3% with fat tails, and one price in 500 is a tenth',
    factorOf: (seed, { hotel, departureDay, nights, airport, board, party }) => {
      const season = Math.floor(monthOfDay(departureDay) / 3);
      const itself: [number, ...number[]] = [seed, departureDay, nights, airport, hotel, party];
      const slip = seededRandom(...itself, 7) < 1 / 500 ? 0.1 : 1;
      return always(
        slip *
          Math.exp(
            0.2 * normal(seed, hotel, 1) +
              0.08 * normal(seed, hotel, season, 2) +
              0.06 * normal(seed, hotel, board, 3) +
              0.03 * fatTailed(...itself),
          ),
      );
    },
    seenEvery: 1,
  },
];

function always(factor: number): () => number {
  return () => factor;
}

/** Each provider changes its level once in this many days. */
const STEP_DAYS = 12;

/** A provider's level, which changes on a random day in each window. */
function steppedFactor(seed: number, provider: number, day: number): number {
  const stretch = Math.floor(day / STEP_DAYS);
  const stepsOn = Math.floor(seededRandom(seed, provider, stretch, 6) * STEP_DAYS);
  const level = day % STEP_DAYS < stepsOn ? stretch - 1 : stretch;
  return Math.exp(0.06 * normal(seed, provider, level, 7));
}

function holidayFactor(departureDay: number): number {
  return isSchoolHoliday(fromDayNumber(departureDay)) ? HOLIDAY_FACTOR : 1;
}

function normal(...of: [number, ...number[]]): number {
  const one = seededRandom(...of, 101);
  const other = seededRandom(...of, 102);
  return Math.sqrt(-2 * Math.log(1 - one)) * Math.cos(2 * Math.PI * other);
}

/** A random number from Student's t distribution with three degrees of freedom. */
function fatTailed(...of: [number, ...number[]]): number {
  const squares = [1, 2, 3].reduce((sum, nth) => sum + normal(...of, 10 + nth) ** 2, 0);
  return normal(...of, 20) / Math.sqrt(squares / 3);
}
