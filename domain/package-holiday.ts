import type { CalendarDate } from './calendar-date.ts';
import type { HotelFactFields } from './hotel-facts.ts';
import type { ChargePart, PackageSearchItem } from './package-search-item.ts';
import type { Party } from './party.ts';
import { placePicture } from './place-picture.ts';

const DEFAULT_ADULTS = 2;

/** A mapped package holiday (Section 3): what the page shows and an alert sign-up sends. */
export interface PackageHoliday {
  ItemKey: string;
  CacheKey: string;
  Brand: string;
  /** When the item was mapped, in ISO 8601 and UTC. */
  LastUpdate: string;
  /** In ISO 8601 and UTC; null if the server does not send it. */
  Expiry: string | null;
  HolidayCountry: string;
  HolidayRegion: string;
  HolidayResort: string;
  /** In nights. */
  Duration: number;
  BoardBasis: string;
  RoomTypeDescription: string;
  /** An absolute http(s) URL, or ''. */
  DeeplinkUrl: string;
  HotelDetails: HotelDetails;
  FlightDetails: { Outbound: FlightLeg; Inbound: FlightLeg };
  PriceDetails: PriceDetails;
  /** Pieces of luggage in the price; null if unknown. This and the next three are for cards, not in Section 3. */
  Bags: number | null;
  /** Whether a child travels free. */
  FreeChild: boolean;
  /** How many other packages the search finds for this hotel; undefined if the server does not say. */
  OtherPackages?: number;
  /** The hotel's other providers by code, with their lowest price in pounds, the lowest first. */
  OtherProviders?: readonly { Brand: string; TotalPrice: number }[];
  /** When the price was last seen (EventTime), in ISO 8601 and UTC, or null. Shown on cards. */
  LastSeen: string | null;
  /** Proves that Skylark's server showed this price. Other servers send none. Not in Section 3. */
  PriceToken?: string;
  /** What the provider has said since the search about the price, or that it is sold out. Not in Section 3. */
  Availability?: 'checked' | 'sold out';
  /** How the total is split; other servers send no split. Not in Section 3. */
  LocalCharges?: LocalCharges;
}

/** In pounds. */
export interface LocalCharges {
  ProviderPrice: number;
  /** Payable at the resort; null: unknown. */
  Total: number | null;
  Parts: readonly ChargePart[];
}

export interface HotelDetails extends HotelFactFields {
  HotelName: string;
  /** 0 to 5, usually in halves; null if unknown. */
  StarRating: number | null;
  Latitude: number | null;
  Longitude: number | null;
  HotelURL: string;
  HotelIdentifierCode: string;
  HotelImages: string[];
}

export interface FlightLeg {
  FlightNumber: string;
  DepartureAirportCode: string;
  ArrivalAirportCode: string;
  /** In ISO 8601 with the airport's offset. If the time is unknown, the departure day or ''. */
  DepartureDateTime: string;
  ArrivalDateTime: string;
  AirlineName: string;
  NumberOfStops: number;
  /** In whole minutes; null if unknown. */
  FlightDuration: number | null;
}

/** Money is in pounds, as in the API. */
export interface PriceDetails {
  TotalPrice: number;
  PricePerAdult: number;
  TotalPriceBeforeDiscount: number;
  AdjustedPrice: number;
  Currency: 'GBP';
  NumberOfAdults: number;
  NumberOfChildren: number;
  NumberOfInfants: number;
  PricePerChild: number;
  PricePerInfant: number;
  /** `Bonded: false` means unknown. */
  Extras: { TransfersIncluded: boolean; LuggageIncluded: boolean; Bonded: boolean };
}

/**
 * Maps an item, with Section 3's defaults. `mappedAt` is in ISO 8601 and UTC. `brandCode` is used if the item
 * has no brand.
 */
export function toPackageHoliday(
  item: PackageSearchItem,
  mapping: { mappedAt: string; brandCode: string },
): PackageHoliday {
  return {
    ItemKey: item.ItemKey,
    CacheKey: item.ItemKey,
    Brand: item.Brand || mapping.brandCode,
    LastUpdate: mapping.mappedAt,
    Expiry: item.Expiry,
    HolidayCountry: item.HolidayCountry,
    HolidayRegion: item.HolidayRegion,
    HolidayResort: item.HolidayResort,
    Duration: item.Duration,
    BoardBasis: item.BoardBasis,
    RoomTypeDescription: item.RoomTypeDescription,
    DeeplinkUrl: item.AdditionalData.DeeplinkUrl,
    HotelDetails: hotelDetails(item),
    FlightDetails: { Outbound: outboundLeg(item), Inbound: inboundLeg(item) },
    PriceDetails: priceDetails(item),
    Bags: item.LuggageIncluded,
    FreeChild: item.FreeChild,
    LastSeen: item.EventTime,
    ...priceToken(item),
    ...localCharges(item),
  };
}

function priceToken({ AdditionalData }: PackageSearchItem): Pick<PackageHoliday, 'PriceToken'> {
  return AdditionalData.PriceToken === '' ? {} : { PriceToken: AdditionalData.PriceToken };
}

function localCharges({ AdditionalData }: PackageSearchItem): Pick<PackageHoliday, 'LocalCharges'> {
  const { ProviderPrice, LocalCharges, LocalChargeParts } = AdditionalData;
  if (ProviderPrice === null) return {};
  return { LocalCharges: { ProviderPrice, Total: LocalCharges, Parts: LocalChargeParts } };
}

/** The departure day at the departure airport. */
export function departureDay(holiday: PackageHoliday): CalendarDate {
  return holiday.FlightDetails.Outbound.DepartureDateTime.slice(0, 10);
}

export function partyOf({ PriceDetails }: PackageHoliday): Party {
  const { NumberOfAdults: adults, NumberOfChildren: children, NumberOfInfants: infants } = PriceDetails;
  return { adults, children, infants };
}

/** The URL of the drawing shown for a hotel, chosen by its place. */
export function placePictureOf(
  at: Pick<PackageHoliday, 'HolidayCountry' | 'HolidayRegion' | 'HolidayResort'>,
  { HotelIdentifierCode, HotelName }: Pick<HotelDetails, 'HotelIdentifierCode' | 'HotelName'>,
): string {
  return placePicture({
    country: at.HolidayCountry,
    region: at.HolidayRegion,
    resort: at.HolidayResort,
    hotel: HotelIdentifierCode || HotelName,
  });
}

function hotelDetails(item: PackageSearchItem): HotelDetails {
  const { Hotel, HotelIdentifierCode } = item;
  const { HotelName, HotelImages } = Hotel;
  return {
    ...Hotel,
    HotelURL: '',
    HotelIdentifierCode,
    HotelImages:
      HotelImages.length > 0 ? HotelImages : [placePictureOf(item, { HotelIdentifierCode, HotelName })],
  };
}

function outboundLeg(item: PackageSearchItem): FlightLeg {
  return {
    FlightNumber: item.FlightNumber_Outbound,
    DepartureAirportCode: item.DepartureAirportCode_Outbound,
    ArrivalAirportCode: item.Flight.ArrivalAirportCode_Outbound,
    DepartureDateTime: item.Flight.DepartureDateTime_Outbound ?? item.DepartureDate,
    ArrivalDateTime: item.Flight.ArrivalDateTime_Outbound ?? '',
    AirlineName: item.Flight.AirlineName_Outbound,
    NumberOfStops: 0,
    FlightDuration: wholeMinutes(item.Flight.FlightDuration_Outbound),
  };
}

function inboundLeg(item: PackageSearchItem): FlightLeg {
  return {
    FlightNumber: item.FlightNumber_Inbound,
    DepartureAirportCode: item.DepartureAirportCode_Inbound,
    ArrivalAirportCode: item.Flight.ArrivalAirportCode_Inbound,
    DepartureDateTime: item.Flight.DepartureDateTime_Inbound ?? '',
    ArrivalDateTime: item.Flight.ArrivalDateTime_Inbound ?? '',
    AirlineName: item.Flight.AirlineName_Inbound,
    NumberOfStops: 0,
    FlightDuration: wholeMinutes(item.Flight.FlightDuration_Inbound),
  };
}

function priceDetails(item: PackageSearchItem): PriceDetails {
  const { TotalPrice } = item;
  const NumberOfAdults = item.NumberOfAdults || DEFAULT_ADULTS;
  return {
    TotalPrice,
    PricePerAdult: TotalPrice / NumberOfAdults,
    TotalPriceBeforeDiscount: item.AdditionalData.TotalPriceBeforeDiscount ?? TotalPrice,
    AdjustedPrice: TotalPrice,
    Currency: 'GBP',
    NumberOfAdults,
    NumberOfChildren: item.NumberOfChildren ?? 0,
    NumberOfInfants: item.NumberOfInfants ?? 0,
    PricePerChild: 0,
    PricePerInfant: 0,
    Extras: {
      TransfersIncluded: false,
      LuggageIncluded: (item.LuggageIncluded ?? 0) > 0,
      Bonded: false,
    },
  };
}

function wholeMinutes(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds / 60);
}

/** A shown price in terms of `/visits`: the provider's part, with the proof that the server showed it. */
export function shownPrice({
  ItemKey,
  PriceDetails,
  LocalCharges,
  PriceToken,
}: Pick<PackageHoliday, 'ItemKey' | 'PriceDetails' | 'LocalCharges' | 'PriceToken'>) {
  const price = LocalCharges?.ProviderPrice ?? PriceDetails.TotalPrice;
  return { itemKey: ItemKey, price, ...(PriceToken !== undefined && { priceToken: PriceToken }) };
}
