import * as v from 'valibot';
import { parseCalendarDate } from './calendar-date.ts';
import { parseDateTime, parseInstant } from './date-time.ts';
import { byHotelFactField } from './hotel-facts.ts';
import { flag, jsonObject, numberBetween, parsedBy, text, wholeBetween } from './lenient-fields.ts';

/** Items beyond these limits are rejected, because they are probably mistakes. */
const MAX_NIGHTS = 60;
const MAX_POUNDS = 1_000_000;
/** The largest amount in any currency. */
const MAX_LOCAL_AMOUNT = 1e9;
const MAX_PEOPLE = 99;
const MAX_PIECES = 99;
const MAX_FLIGHT_SECONDS = 48 * 60 * 60;

const pounds = numberBetween(0.01, MAX_POUNDS);
/** A number of pieces; `true` counts as 1. Null if the server does not say. */
const pieces = v.fallback(
  v.union([v.pipe(v.boolean(), v.transform(Number)), wholeBetween(0, MAX_PIECES)]),
  null,
);
const people = wholeBetween(0, MAX_PEOPLE);
const flightSeconds = numberBetween(1, MAX_FLIGHT_SECONDS);
const dateTime = parsedBy(parseDateTime);
const instant = parsedBy(parseInstant);

const hotel = v.pipe(
  jsonObject,
  v.object({
    HotelName: text,
    StarRating: numberBetween(0, 5),
    ...byHotelFactField((_, { min, max, maxElsewhere = max }) => numberBetween(min, maxElsewhere)),
    Longitude: numberBetween(-180, 180),
    Latitude: numberBetween(-90, 90),
    /** Paths on the search service's host. */
    HotelImages: v.fallback(v.array(v.pipe(v.string(), v.regex(/^\/photos\?[\w%.=&+*-]+$/))), []),
  }),
);

/** Times are local to the airports. Flight durations are in seconds. */
const flight = v.pipe(
  jsonObject,
  v.object({
    DepartureDateTime_Outbound: dateTime,
    ArrivalDateTime_Outbound: dateTime,
    ArrivalAirportCode_Outbound: text,
    AirlineName_Outbound: text,
    FlightDuration_Outbound: flightSeconds,
    DepartureDateTime_Inbound: dateTime,
    ArrivalDateTime_Inbound: dateTime,
    ArrivalAirportCode_Inbound: text,
    AirlineName_Inbound: text,
    FlightDuration_Inbound: flightSeconds,
  }),
);

/**
 * A charge at the resort: `Pounds`, converted from `Amount` in `Currency` at `PerPound` units for a pound. With
 * `PoundsFrom` it is a range that ends at `Pounds`, and `How` says how it comes about.
 */
const chargePart = v.object({
  Name: text,
  Pounds: numberBetween(0, MAX_POUNDS),
  PoundsFrom: numberBetween(0, MAX_POUNDS),
  How: text,
  IsLastKnown: v.fallback(v.boolean(), false),
  Source: v.pipe(text, v.transform(httpUrlOrBlank)),
  CheckedOn: parsedBy(parseCalendarDate),
  Currency: text,
  Amount: numberBetween(0, MAX_LOCAL_AMOUNT),
  PerPound: numberBetween(0, MAX_LOCAL_AMOUNT),
  RateDate: parsedBy(parseCalendarDate),
});

const additionalData = v.pipe(
  jsonObject,
  v.object({
    DeeplinkUrl: v.pipe(text, v.transform(httpUrlOrBlank)),
    TotalPriceBeforeDiscount: pounds,
    PriceToken: text,
    /** The part of the total that the provider takes; null if the server does not say. */
    ProviderPrice: pounds,
    /** The part payable at the resort; null: unknown. */
    LocalCharges: numberBetween(0, MAX_POUNDS),
    LocalChargeParts: v.fallback(v.array(chargePart), []),
  }),
);

const readableItem = v.object({
  ItemKey: text,
  Id: text,
  TotalPrice: pounds,
  HolidayCountry: text,
  HolidayRegion: text,
  HolidayResort: text,
  Hotel: hotel,
  Flight: flight,
  AdditionalData: additionalData,
  FlightNumber_Outbound: text,
  FlightNumber_Inbound: text,
  DepartureDate: parsedBy(dayOf),
  Duration: wholeBetween(1, MAX_NIGHTS),
  BoardBasis: text,
  Brand: text,
  DepartureAirportCode_Outbound: text,
  DepartureAirportCode_Inbound: text,
  FreeChild: flag,
  LuggageIncluded: pieces,
  HotelIdentifierCode: text,
  NumberOfAdults: people,
  NumberOfChildren: people,
  NumberOfInfants: people,
  Occupancy: text,
  RoomCount: wholeBetween(1, MAX_PEOPLE),
  RoomTypeDescription: text,
  EventId: text,
  EventTime: instant,
  Expiry: instant,
});

export type ChargePart = v.InferOutput<typeof chargePart>;

type ReadableItem = v.InferOutput<typeof readableItem>;
type Needed = 'TotalPrice' | 'DepartureDate' | 'Duration';

/**
 * A parsed package of a search response (Section 3). JSON texts are objects, `TotalPrice` is in pounds, and
 * `EventTime` and `Expiry` are in UTC. Missing optional fields are '' or null.
 */
export type PackageSearchItem = Omit<ReadableItem, Needed> & {
  [Field in Needed]: NonNullable<ReadableItem[Field]>;
};

/** `reason` is a message for the console. */
export type ParsedItem = { kind: 'item'; item: PackageSearchItem } | { kind: 'refused'; reason: string };

/**
 * Parses one item of any server's response. Rejects damaged JSON, and items without an ItemKey, a hotel name,
 * a positive price, a real departure day or 1 to 60 nights. Other fields may be missing or unreadable.
 */
export function parsePackageSearchItem(raw: unknown): ParsedItem {
  const read = v.safeParse(readableItem, raw);
  if (!read.success) return refused(damage(read.issues[0]));
  const item = read.output;
  const { TotalPrice, Duration } = item;
  const DepartureDate = item.DepartureDate ?? item.Flight.DepartureDateTime_Outbound?.slice(0, 10) ?? null;
  if (item.ItemKey === '') return refused('no ItemKey');
  if (item.Hotel.HotelName === '') return refused('no HotelName');
  if (TotalPrice === null) return refused('no plausible TotalPrice');
  if (DepartureDate === null) return refused('no real DepartureDate');
  if (Duration === null) return refused('no plausible Duration');
  return { kind: 'item', item: { ...item, TotalPrice, DepartureDate, Duration } };
}

function refused(reason: string): ParsedItem {
  return { kind: 'refused', reason };
}

function damage(issue: v.BaseIssue<unknown>): string {
  const field = v.getDotPath(issue);
  return field === null ? 'the item is not an object' : `${field} ${issue.message}`;
}

function dayOf(written: string): string | null {
  return parseCalendarDate(written.trim()) ?? parseDateTime(written)?.slice(0, 10) ?? null;
}

/** Returns the URL if it is absolute http(s) without a user name, else '', so that no link can run code. */
function httpUrlOrBlank(url: string): string {
  return /^https?:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?$/i.test(url) ? url : '';
}
