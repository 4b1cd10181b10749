import { parseCalendarDate, todayInLondon } from '../../../domain/calendar-date.ts';
import { parseDateTime, parseInstant } from '../../../domain/date-time.ts';
import { byHotelFactField } from '../../../domain/hotel-facts.ts';
import { MAX_BAG_KG } from '../../inventory/offer-extras.ts';
import { memoize } from '../../lib/memoize.ts';
import {
  capitals,
  decimalFrom,
  type FeedField,
  name,
  parsed,
  parsedText,
  pounds,
  prose,
  readNumber,
  textList,
  wholeFrom,
} from './feed-fields.ts';
import { MAX_LINK } from './feed-link.ts';

const MAX_NAME = 200;
const MAX_CODE = 60;
const MAX_PIECES = 20;
/** Characters of what the hotel's page shows; the rest is cut off. */
const MAX_DESCRIPTION = 1_200;
const MAX_CHILD_PRICES = 300;
const MAX_FACILITY = 60;
const MAX_FACILITIES = 30;
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

/** Parses a day, or a time. For a time with an offset, the day is London's. Null for other text. */
export const readDay = memoize(KEPT_TEXTS, (text: string) => {
  const written = parseCalendarDate(text.trim()) ?? parseDateTime(text);
  if (written === null || written.length <= LOCAL_LENGTH) return written?.slice(0, 10) ?? null;
  return todayInLondon(Date.parse(written));
});

const readAddresses = memoize(KEPT_TEXTS, (text: string) =>
  text
    .split(/[\s|]+|[,;](?=\s*https?:)/)
    .filter((one) => one.length <= MAX_LINK && /^https?:/i.test(one))
    .join(' '),
);

const dateTime = parsedText(parseDateTime, 'is not a date and time such as 2027-05-01T06:30:00+01:00');
const instant = parsedText(readInstant, 'is not a date and time such as 2027-05-01T06:30:00Z');
const luggage = parsed(luggageOf, `is not 0 to ${MAX_PIECES} pieces of luggage, or true or false`);
const bagKilograms = wholeFrom(1, MAX_BAG_KG, 'kilograms of a bag');
const flightSeconds = wholeFrom(A_FLIGHT_SECONDS.from, A_FLIGHT_SECONDS.to, 'seconds of a flight');

const TRUTHS = { true: true, yes: true, y: true, '1': true, false: false, no: false, n: false, '0': false };

const truth = parsed(
  (value) => {
    const word = String(value).trim().toLowerCase();
    return Object.hasOwn(TRUTHS, word) ? TRUTHS[word as keyof typeof TRUTHS] : null;
  },
  `is not one of ${Object.keys(TRUTHS).join(', ')}`,
);

/**
 * The fields of a package search item (Section 3), with those of its JSON texts at the top level.
 * Stricter than the page: rejects what it cannot read, without guessing.
 */
const NEEDED = {
  TotalPrice: pounds,
  HolidayCountry: place,
  HolidayResort: place,
  HotelName: place,
  DepartureDate: parsedText(readDay, 'is not a day such as 2027-05-01'),
  Duration: wholeFrom(1, 60, 'nights'),
  DepartureAirportCode_Outbound: airport,
};

const OPTIONAL = {
  TotalPriceBeforeDiscount: pounds,
  /** Payable at the resort, not in `TotalPrice`. */
  LocalCharges: pounds,
  Currency: capitals(/^GBP$/, 'is not GBP'),
  HolidayRegion: place,
  HotelIdentifierCode: code,
  StarRating: decimalFrom(0, 5, 0.5, 'stars from 0 to 5, in halves'),
  ...byHotelFactField((_, { min, max, step, what }) => decimalFrom(min, max, step, what)),
  Latitude: decimalFrom(-90, 90, 0, 'degrees from -90 to 90'),
  Longitude: decimalFrom(-180, 180, 0, 'degrees from -180 to 180'),
  HotelImages: parsed(addressesOf, 'is not a list of URLs'),
  HotelFacilities: textList(MAX_FACILITIES, MAX_FACILITY),
  HotelDescription: prose(MAX_DESCRIPTION),
  ChildPrices: prose(MAX_CHILD_PRICES),
  BoardBasis: capitals(/^[A-Z0-9]{1,4}$/, 'is not a board code such as AI'),
  RoomTypeDescription: name(MAX_NAME),
  RoomCount: parsed((value) => (readNumber(value) === 1 ? 1 : null), 'must be 1'),
  NumberOfAdults: wholeFrom(1, 12, 'adults'),
  NumberOfChildren: wholeFrom(0, 10, 'children'),
  NumberOfInfants: wholeFrom(0, 6, 'infants'),
  LuggageIncluded: luggage,
  HoldBagKg: bagKilograms,
  CabinBagKg: bagKilograms,
  TransferIncluded: truth,
  Brand: code,
  DeeplinkUrl: parsedText(
    (text) => (text.length <= MAX_LINK ? text : null),
    `is not text of at most ${MAX_LINK} characters`,
  ),
  DepartureAirportCode_Inbound: airport,
  FlightNumber_Outbound: flightNumber,
  FlightNumber_Inbound: flightNumber,
  DepartureDateTime_Outbound: dateTime,
  ArrivalDateTime_Outbound: dateTime,
  ArrivalAirportCode_Outbound: airport,
  AirlineName_Outbound: name(MAX_NAME),
  FlightDuration_Outbound: flightSeconds,
  DepartureDateTime_Inbound: dateTime,
  ArrivalDateTime_Inbound: dateTime,
  ArrivalAirportCode_Inbound: airport,
  AirlineName_Inbound: name(MAX_NAME),
  FlightDuration_Inbound: flightSeconds,
  Expiry: instant,
  /** In affiliate feeds: the start of the offer. */
  ValidFrom: instant,
  /** The number of a file of changes. In a full feed, the number of the last changes that it includes. */
  Sequence: wholeFrom(0, Number.MAX_SAFE_INTEGER, 'as a sequence number'),
  /** In changes: true if the package is off sale. */
  Deleted: truth,
  /** In affiliate feeds: false if sold out. */
  InStock: truth,
};

type Values<F> = { [K in keyof F]: F[K] extends FeedField<infer V> ? V : never };

/** `TotalPrice`, `TotalPriceBeforeDiscount` and `LocalCharges` are in pence; the rest is as on the wire. */
export type FlatItem = Values<typeof NEEDED> & Partial<Values<typeof OPTIONAL>>;

export type FlatField = keyof FlatItem;

export const NEEDED_FIELDS = Object.keys(NEEDED) as readonly FlatField[];

export const FLAT_FIELDS = Object.keys({ ...NEEDED, ...OPTIONAL }) as readonly FlatField[];

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

const READERS = Object.entries({ ...NEEDED, ...OPTIONAL }).map(([name, { read, troubleOf }]) => {
  const field = name as FlatField;
  return { field, isNeeded: NEEDED_FIELDS.includes(field), read, troubleOf };
});

/** A row's item, or all fields that are invalid or missing. */
export function readFlatItem(fields: Readonly<FlatFields>) {
  const item = noFields();
  const problems: { field: FlatField; value: unknown; reason: string }[] = [];
  for (const { field, isNeeded, read, troubleOf } of READERS) {
    const value = fields[field];
    if (value === undefined) {
      if (isNeeded) problems.push({ field, value, reason: 'is missing' });
      continue;
    }
    const made = read(value);
    if (made === null) problems.push({ field, value, reason: troubleOf(value) });
    else item[field] = made;
  }
  return { item: problems.length > 0 ? null : (item as unknown as FlatItem), problems };
}

export function isFlatField(field: string): field is FlatField {
  return Object.hasOwn(NO_FIELDS, field);
}

/** Texts that may be URLs, separated by spaces; feeds also separate them by bars or commas. */
function addressesOf(value: unknown): string | null {
  const text = Array.isArray(value) ? value.join(' ') : value;
  return typeof text === 'string' ? readAddresses(text) : null;
}

/** Parses a number of pieces; `true` means one. */
function luggageOf(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value);
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (word === 'true' || word === 'false') return Number(word === 'true');
  const pieces = readNumber(value);
  return pieces !== null && Number.isInteger(pieces) && pieces >= 0 && pieces <= MAX_PIECES ? pieces : null;
}
