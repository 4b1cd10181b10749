import { parseCalendarDate } from '../../domain/calendar-date.ts';
import { parseCsv } from '../../domain/csv.ts';

const SOURCE =
  'https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html';

/** A table of exchange rates after an update. `kept`: currencies that the update has no newer rate of. */
export interface UpdatedRates {
  csv: string;
  date: string;
  updated: string[];
  kept: string[];
}

/**
 * Updates an exchange-rates.csv (docs/contracts/local-charges.md) with the newest day of the ECB's eurofxref CSV, of a
 * day or with history. Returns a message if that CSV has no usable day.
 */
export function updateRates(csv: string, ecb: string): UpdatedRates | string {
  const [header = [], ...days] = parseCsv(ecb).map((cells) => cells.map((cell) => cell.trim()));
  const [newest] = days
    .map((cells) => ({
      date: dayOf(cells[0] ?? ''),
      rates: new Map(header.map((name, at) => [name, cells[at]])),
    }))
    .filter(({ date }) => date !== null)
    .toSorted((one, other) => (one.date ?? '').localeCompare(other.date ?? ''))
    .toReversed();
  const perEuro = (currency: string) => (currency === 'EUR' ? 1 : Number(newest?.rates.get(currency)));
  const pound = perEuro('GBP');
  if (newest?.date == null || !(pound > 0)) return 'It must be the ECB’s eurofxref CSV, with dates and GBP.';
  const { date } = newest;
  const updated: string[] = [];
  const kept: string[] = [];
  const [columns = [], ...rows] = parseCsv(csv);
  const lines = rows.map((cells) => {
    const row = Object.fromEntries(columns.map((column, at) => [column.trim(), cells[at] ?? '']));
    const { currency = '' } = row;
    const isNewer = perEuro(currency) > 0 && (row.date ?? '') <= date;
    (isNewer ? updated : kept).push(currency);
    if (!isNewer) return cells.join(',');
    const changed = { ...row, per_pound: (perEuro(currency) / pound).toFixed(6), date, source: SOURCE };
    return columns.map((column) => changed[column.trim() as keyof typeof changed]).join(',');
  });
  return { csv: `${[columns.join(','), ...lines].join('\n')}\n`, date, updated, kept };
}

/** The ECB writes '27 November 2026' in a day's file, and 2026-11-27 in the history. */
function dayOf(text: string): string | null {
  if (parseCalendarDate(text) !== null) return text;
  const time = Date.parse(`${text} UTC`);
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}
