import type { CalendarDate } from './calendar-date.ts';
import type { FlightLeg, HotelDetails, PackageHoliday } from './package-holiday.ts';
import { departureDay } from './package-holiday.ts';
import type { Page } from './sort-and-page.ts';
import type { SortBy } from './sort-by.ts';

/** The page data for the price-analysis widget (`docs/contracts/page-data.md`). */
export interface PublishedPageData {
  packages: PublishedPackage[];
  pagination: { currentPage: number; totalPages: number; totalResults: number; perPage: number };
  searchState: { sortBy: SortBy; allResultsCount: number };
  /** In ISO 8601 and UTC. */
  lastUpdated: string;
}

export interface PublishedPackage {
  ItemKey: string;
  Brand: string;
  FreeChild: boolean;
  NumberOfAdults: number;
  NumberOfChildren: number;
  NumberOfInfants: number;
  hotel: HotelDetails & { HolidayCountry: string; HolidayRegion: string; HolidayResort: string };
  flight: { Outbound: FlightLeg; Inbound: FlightLeg };
  additionalData: {
    DeeplinkUrl: string;
    TotalPrice: number;
    TotalPriceBeforeDiscount: number;
    /** The parts of the total, in pounds. Absent if the server does not say; null if unknown. */
    ProviderPrice?: number;
    LocalCharges?: number | null;
    /** Set if the provider has been asked since the search: `TotalPrice` is then its price now. */
    Availability?: 'checked' | 'sold out';
    Currency: string;
    DepartureDate: CalendarDate;
    Duration: number;
    BoardBasis: string;
  };
}

/** The data of one page of results. A copy, so that a widget cannot change the page's own objects. */
export function buildPublishedPageData(input: {
  page: Page;
  perPage: number;
  sortBy: SortBy;
  allResultsCount: number;
  brandCode: string;
  lastUpdated: string;
}): PublishedPageData {
  const { items, currentPage, totalPages, totalResults } = input.page;
  return {
    packages: items.map((holiday) => publishedPackage(holiday, input.brandCode)),
    pagination: { currentPage, totalPages, totalResults, perPage: input.perPage },
    searchState: { sortBy: input.sortBy, allResultsCount: input.allResultsCount },
    lastUpdated: input.lastUpdated,
  };
}

function publishedPackage(holiday: PackageHoliday, brandCode: string): PublishedPackage {
  const { HotelDetails, FlightDetails, PriceDetails, LocalCharges } = holiday;
  return {
    ItemKey: holiday.ItemKey,
    Brand: holiday.Brand || brandCode,
    FreeChild: false,
    NumberOfAdults: PriceDetails.NumberOfAdults,
    NumberOfChildren: PriceDetails.NumberOfChildren,
    NumberOfInfants: PriceDetails.NumberOfInfants,
    hotel: {
      ...HotelDetails,
      HotelImages: [...HotelDetails.HotelImages],
      HolidayCountry: holiday.HolidayCountry,
      HolidayRegion: holiday.HolidayRegion,
      HolidayResort: holiday.HolidayResort,
    },
    flight: { Outbound: { ...FlightDetails.Outbound }, Inbound: { ...FlightDetails.Inbound } },
    additionalData: {
      DeeplinkUrl: holiday.DeeplinkUrl,
      TotalPrice: PriceDetails.TotalPrice,
      TotalPriceBeforeDiscount: PriceDetails.TotalPriceBeforeDiscount,
      ...(LocalCharges && {
        ProviderPrice: LocalCharges.ProviderPrice,
        LocalCharges: LocalCharges.Total,
      }),
      ...(holiday.Availability && { Availability: holiday.Availability }),
      Currency: PriceDetails.Currency,
      DepartureDate: departureDay(holiday),
      Duration: holiday.Duration,
      BoardBasis: holiday.BoardBasis,
    },
  };
}
