import * as v from 'valibot';
import { dayNumber, parseCalendarDate } from '../../domain/calendar-date.ts';
import { SORT_OPTIONS } from '../../domain/sort-by.ts';

/** The widest window of days that one search may ask for. */
const MOST_DAYS = 600;

const MOST_AIRPORTS = 200;

const LONGEST_TEXT = 200;

const date = v.pipe(
  v.string(),
  v.check((text) => parseCalendarDate(text) !== null, 'takes a real day as YYYY-MM-DD'),
);

const text = v.pipe(v.string(), v.maxLength(LONGEST_TEXT, `takes at most ${LONGEST_TEXT} characters`));

const wholeNumber = (least: number, most: number) => {
  const message = `takes a whole number from ${least} to ${most}`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(least, message), v.maxValue(most, message));
};

const filters = v.pipe(
  v.strictObject({
    brand: text,
    startDate: date,
    endDate: date,
    departureAirports: v.pipe(
      v.array(text),
      v.maxLength(MOST_AIRPORTS, `takes at most ${MOST_AIRPORTS} airport codes`),
    ),
    // Section 9's defaults stand in for what is left out.
    numberOfAdults: v.nullish(wholeNumber(1, 20), 2),
    numberOfChildren: v.nullish(wholeNumber(0, 20), 0),
    numberOfInfants: v.nullish(wholeNumber(0, 20), 0),
    duration: v.nullish(wholeNumber(1, 99), null),
    country: v.nullish(text, ''),
    region: v.nullish(text, ''),
    resort: v.nullish(text, ''),
    boardBasis: v.nullish(text, ''),
    starRating: v.nullish(wholeNumber(0, 7), null),
  }),
  v.forward(
    v.check(
      ({ startDate, endDate }) => startDate <= endDate,
      'lies before startDate: give the day on which the latest trip may end',
    ),
    ['endDate'],
  ),
  v.forward(
    v.check(
      ({ startDate, endDate }) => dayNumber(endDate) - dayNumber(startDate) <= MOST_DAYS,
      `lies more than ${MOST_DAYS} days after startDate: ask for a narrower window`,
    ),
    ['endDate'],
  ),
);

const request = v.strictObject({
  filters,
  sortBy: v.nullish(v.picklist(SORT_OPTIONS.map(({ packageSort }) => packageSort)), 'PRICE_ASC'),
  limit: v.nullish(wholeNumber(1, 100), 10),
  nextToken: v.nullish(v.pipe(v.string(), v.maxLength(2_000, 'is no token of ours')), null),
});

/** The variables of `searchPackages` (Section 7), checked, with every default in place. */
export type SearchRequest = v.InferOutput<typeof request>;

export type ParsedRequest =
  | { kind: 'request'; request: SearchRequest }
  | { kind: 'bad-input'; field: string; message: string };

/** Parses the variables of a search; of several mistakes it names the first. */
export function parseSearchRequest(variables: unknown): ParsedRequest {
  const parsed = v.safeParse(request, variables, { abortEarly: true });
  if (parsed.success) return { kind: 'request', request: parsed.output };
  const [issue] = parsed.issues;
  const field = v.getDotPath(issue) ?? 'variables';
  return { kind: 'bad-input', field, message: `${field} ${issue.message}.` };
}
