import * as v from 'valibot';
import { parseCalendarDate, todayInLondon } from '../../../domain/calendar-date.ts';
import { parseDateTime, parseInstant } from '../../../domain/date-time.ts';
import { memoize } from '../../lib/memoize.ts';
import { capitals, decimalFrom, name, parsed, parsedText, picked, pounds, wholeFrom } from './feed-fields.ts';
import { MAX_LINK } from './feed-link.ts';
import { readNumber } from './feed-number.ts';

const MAX_NAME = 200;
const MAX_CODE = 60;
/** Ratings are out of ten; 84 may be out of a hundred, but nothing says so. */
const MAX_RATING = 10;
const MAX_PIECES = 20;
/** No flight is shorter than 20 minutes: a smaller number is in minutes or hours. */
const A_FLIGHT_SECONDS = { from: 20 * 60, to: 48 * 60 * 60 };

const place = name(MAX_NAME);
/** Bytes of the longest code. With a room's code, an item key stays below 400 characters. */
const MAX_ENCODED = 180;
const code = name(MAX_CODE, (text) =>
  encodeURIComponent(text).length <= MAX_ENCODED
    ? null
    : `has more than ${MAX_ENCODED} characters when percent-encoded`,
);
const airport = capitals(/^[A-Z]{3}$/, 'is not an IATA airport code');
const flightNumber = capitals(/^[A-Z0-9]{2,3} ?\d{1,4}[A-Z]?$/, 'is not a flight number');
/** Characters of a date and time without an offset. */
const LOCAL_LENGTH = '2027-05-01T06:30:00'.length;
/** A feed has few days and expiry times, each in many rows. */
const KEPT_TEXTS = 4_096;
const readInstant = memoize(KEPT_TEXTS, parseInstant);

/** A day; of an instant, the day in London. Null for other text. */
export const readDay = memoize(KEPT_TEXTS, (text: string) => {
  const written = parseCalendarDate(text.trim()) ?? parseDateTime(text);
  if (written === null || written.length <= LOCAL_LENGTH) return written?.slice(0, 10) ?? null;
  return todayInLondon(Date.parse(written));
});

const dateTime = parsedText(parseDateTime, 'is not a date and time such as 2027-05-01T06:30:00+01:00');
const instant = parsedText(readInstant, 'is not a date and time such as 2027-05-01T06:30:00Z');
const luggage = parsed(luggageOf, `is not 0 to ${MAX_PIECES} pieces of luggage, or true or false`);
const flightSeconds = wholeFrom(A_FLIGHT_SECONDS.from, A_FLIGHT_SECONDS.to, 'seconds of a flight');

const TRUTHS = { true: true, yes: true, y: true, '1': true, false: false, no: false, n: false, '0': false };

/**
 * A package search item (Section 3, ruling 15), with the fields of its JSON texts at the top level. Stricter
 * than the page: rejects what it cannot read, without guessing.
 */
export const flatItem = v.object(
  {
    TotalPrice: pounds,
    TotalPriceBeforeDiscount: v.optional(pounds),
    /** Payable at the resort, not in `TotalPrice`. */
    LocalCharges: v.optional(pounds),
    Currency: v.optional(capitals(/^GBP$/, 'is not GBP')),
    HolidayCountry: place,
    HolidayRegion: v.optional(place),
    HolidayResort: place,
    HotelName: place,
    HotelIdentifierCode: v.optional(code),
    StarRating: v.optional(decimalFrom(0, 5, 0.5, 'stars from 0 to 5, in halves')),
    ConsumerRating: v.optional(
      decimalFrom(0, MAX_RATING, 0, `a rating out of ${MAX_RATING}; a mapping can convert it with times`),
    ),
    Latitude: v.optional(decimalFrom(-90, 90, 0, 'degrees from -90 to 90')),
    Longitude: v.optional(decimalFrom(-180, 180, 0, 'degrees from -180 to 180')),
    DepartureDate: parsedText(readDay, 'is not a day such as 2027-05-01'),
    Duration: wholeFrom(1, 60, 'nights'),
    BoardBasis: v.optional(capitals(/^[A-Z0-9]{1,4}$/, 'is not a board code such as AI')),
    RoomTypeDescription: v.optional(name(MAX_NAME)),
    RoomCount: v.optional(parsed((value) => (readNumber(value) === 1 ? 1 : null), 'must be 1')),
    NumberOfAdults: v.optional(wholeFrom(1, 12, 'adults')),
    NumberOfChildren: v.optional(wholeFrom(0, 10, 'children')),
    NumberOfInfants: v.optional(wholeFrom(0, 6, 'infants')),
    LuggageIncluded: v.optional(luggage),
    Brand: v.optional(code),
    DeeplinkUrl: v.optional(
      parsedText(
        (text) => (text.length <= MAX_LINK ? text : null),
        `is not text of at most ${MAX_LINK} characters`,
      ),
    ),
    DepartureAirportCode_Outbound: airport,
    DepartureAirportCode_Inbound: v.optional(airport),
    FlightNumber_Outbound: v.optional(flightNumber),
    FlightNumber_Inbound: v.optional(flightNumber),
    DepartureDateTime_Outbound: v.optional(dateTime),
    ArrivalDateTime_Outbound: v.optional(dateTime),
    ArrivalAirportCode_Outbound: v.optional(airport),
    AirlineName_Outbound: v.optional(name(MAX_NAME)),
    FlightDuration_Outbound: v.optional(flightSeconds),
    DepartureDateTime_Inbound: v.optional(dateTime),
    ArrivalDateTime_Inbound: v.optional(dateTime),
    ArrivalAirportCode_Inbound: v.optional(airport),
    AirlineName_Inbound: v.optional(name(MAX_NAME)),
    FlightDuration_Inbound: v.optional(flightSeconds),
    Expiry: v.optional(instant),
    /** In affiliate feeds: the start of the offer. */
    ValidFrom: v.optional(instant),
    /** Numbers a file of changes; of a full feed, the last changes that it includes. */
    Sequence: v.optional(wholeFrom(0, Number.MAX_SAFE_INTEGER, 'as a sequence number')),
    /** In changes: true if the package is off sale. */
    Deleted: v.optional(picked(TRUTHS)),
    /** In affiliate feeds: false if sold out. */
    InStock: v.optional(picked(TRUTHS)),
  },
  'is missing',
);

/** `TotalPrice`, `TotalPriceBeforeDiscount` and `LocalCharges` are in pence; the rest is as on the wire. */
export type FlatItem = v.InferOutput<typeof flatItem>;

export type FlatField = keyof FlatItem;

export const FLAT_FIELDS = Object.keys(flatItem.entries) as readonly FlatField[];

/** A row's unchecked fields by the item's names; undefined where blank or absent. */
export type FlatFields = Partial<Record<FlatField, unknown>>;

/** Parsed from text, so that all copies share a hidden class with fast properties. */
const NO_FIELDS = JSON.parse(
  JSON.stringify(Object.fromEntries(FLAT_FIELDS.map((field) => [field, null]))),
) as FlatFields;
for (const field of FLAT_FIELDS) NO_FIELDS[field] = undefined;

/** Every field, undefined: objects of one shape are several times faster. */
export function noFields(): FlatFields {
  return { ...NO_FIELDS };
}

const READERS = FLAT_FIELDS.map((field) => {
  const entry = flatItem.entries[field];
  const isNeeded = entry.type !== 'optional';
  return { field, isNeeded, read: isNeeded ? entry.read : entry.wrapped.read };
});

/** Like `flatItem`, several times faster, but null for an invalid field: `flatItem` then names it. */
export function readFlatItem(fields: Readonly<FlatFields>): FlatItem | null {
  const item = noFields();
  for (const { field, isNeeded, read } of READERS) {
    const value = fields[field];
    if (value === undefined) {
      if (isNeeded) return null;
      continue;
    }
    const made = read(value);
    if (made === null) return null;
    item[field] = made;
  }
  return item as unknown as FlatItem;
}

const KNOWN: ReadonlySet<string> = new Set(FLAT_FIELDS);

export function isFlatField(field: string): field is FlatField {
  return KNOWN.has(field);
}

export const NEEDED_FIELDS: readonly FlatField[] = FLAT_FIELDS.filter(
  (field) => flatItem.entries[field].type !== 'optional',
);

/** A number of pieces; true is one. */
function luggageOf(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value);
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (word === 'true' || word === 'false') return Number(word === 'true');
  const pieces = readNumber(value);
  return pieces !== null && Number.isInteger(pieces) && pieces >= 0 && pieces <= MAX_PIECES ? pieces : null;
}
