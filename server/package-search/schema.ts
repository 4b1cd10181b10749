import { buildSchema, type GraphQLResolveInfo } from 'graphql';
import { PRICE_ANALYSIS_TYPES } from '../price-history/price-analysis-types.ts';
import { FACET_TYPES } from './facets.ts';
import { REFINE_TYPES } from './refinements.ts';
import { selectsFacets } from './request-cost.ts';

/** Resolves the schema's fields from their unchecked arguments. */
export interface SchemaContext {
  searchPackages(variables: unknown, hasFacets: boolean): Promise<unknown>;
  priceAnalysis(variables: unknown): Promise<unknown>;
  cheapestDates(variables: unknown): Promise<unknown>;
  priceHistory(variables: unknown): Promise<unknown>;
  priceCalendar(variables: unknown): Promise<unknown>;
  explore(variables: unknown): Promise<unknown>;
}

/** The contract of `POST /graphql` (docs/contracts/graphql.md). */
export const schema = buildSchema(/* GraphQL */ `
  type Query {
    searchPackages(
      filters: PackageSearchFilters!
      refine: SearchRefinements
      sortBy: PackageSort
      limit: Int
      nextToken: String
    ): SearchPackagesAnswer!
    "At most ten keys. A key without a package on sale is omitted."
    priceAnalysis(itemKeys: [String!]!): [PriceAnalysis!]!
    "The prices of a package that is on sale, day by day; null for any other key."
    priceHistory(itemKey: String!): PriceHistory
    "The lowest price of each day from three before startDate to three after it. A day without a match is omitted."
    cheapestDates(filters: PackageSearchFilters!): [CheapestDate!]!
    "The lowest price of each departure day of the window, in order. A day without a match is omitted."
    priceCalendar(filters: PackageSearchFilters!): [CalendarPrice!]!
    "The places with a package in the window, the cheapest first. maxPricePerAdult is in pounds."
    explore(filters: PackageSearchFilters!, level: PlaceLevel, maxPricePerAdult: Int): [PlacePrice!]!
  }

  input PackageSearchFilters {
    brand: String!
    "The window of the whole trip, YYYY-MM-DD: it departs on or after startDate and ends on or before endDate."
    startDate: String!
    endDate: String!
    departureAirports: [String!]!
    "Default: 2."
    numberOfAdults: Int
    numberOfChildren: Int
    numberOfInfants: Int
    "Nights; default: any."
    duration: Int
    country: String
    region: String
    resort: String
    boardBasis: String
    "Whole stars; 4.5 counts as 4."
    starRating: Int
    "With this, duration is the fewest nights, and this the most."
    maxDuration: Int
    "The last day of departure, YYYY-MM-DD."
    lastDeparture: String
    "At most five places, instead of country, region and resort; a package is in one of them."
    places: [PlaceFilter!]
  }

  "Full names, as in PackageSearchFilters; all given must match."
  input PlaceFilter {
    country: String
    region: String
    resort: String
  }

  ${REFINE_TYPES}

  type CheapestDate {
    "YYYY-MM-DD."
    DepartureDate: String!
    "Pounds for the party."
    TotalPrice: Float!
  }

  type CalendarPrice {
    "YYYY-MM-DD."
    DepartureDate: String!
    "Pounds for the party."
    TotalPrice: Float!
    "Pounds, rounded to pence."
    PricePerAdult: Float!
    "Nights."
    Duration: Int!
  }

  "Default: REGION."
  enum PlaceLevel {
    COUNTRY
    REGION
    RESORT
  }

  type PlacePrice {
    HolidayCountry: String!
    "Blank for a country."
    HolidayRegion: String!
    "Blank for a country or region."
    HolidayResort: String!
    "Degrees: the mean of its hotels' positions. Null if none is known."
    Latitude: Float
    Longitude: Float
    "Of the cheapest package, as are the next three."
    DepartureDate: String!
    TotalPrice: Float!
    PricePerAdult: Float!
    Duration: Int!
    "The months of departure in order. A month without a match is omitted."
    Months: [MonthPrice!]!
  }

  type MonthPrice {
    "YYYY-MM."
    Month: String!
    DepartureDate: String!
    TotalPrice: Float!
    PricePerAdult: Float!
    Duration: Int!
  }

  enum PackageSort {
    PRICE_ASC
    PRICE_DESC
    DEPARTURE_DATE_ASC
    DEPARTURE_DATE_DESC
    STAR_RATING_DESC
    STAR_RATING_ASC
    GUEST_RATING_DESC
  }

  type SearchPackagesAnswer {
    items: [PackageSearchItem!]!
    nextToken: String
    "Matches on all pages."
    count: Int!
    errors: [String!]
    hasMoreData: Boolean!
    queriesExecuted: Int!
    "Items in this answer."
    totalReturned: Int!
    facets: SearchFacets
  }

  ${FACET_TYPES}

  type PackageSearchItem {
    ItemKey: String!
    Id: String!
    "Pounds."
    TotalPrice: Float!
    HolidayCountry: String!
    HolidayRegion: String!
    HolidayResort: String!
    "JSON text."
    Hotel: String!
    "JSON text."
    Flight: String!
    FlightNumber_Outbound: String!
    FlightNumber_Inbound: String!
    DepartureDate: String!
    "Nights."
    Duration: Int!
    "JSON text."
    AdditionalData: String!
    BoardBasis: String!
    Brand: String!
    DepartureAirportCode_Outbound: String!
    DepartureAirportCode_Inbound: String!
    FreeChild: Boolean!
    "Pieces of luggage in the price; null: unknown."
    LuggageIncluded: Int
    HotelIdentifierCode: String!
    NumberOfAdults: Int!
    NumberOfChildren: Int!
    NumberOfInfants: Int!
    Occupancy: String!
    RoomCount: Int!
    RoomTypeDescription: String!
    EventId: String!
    EventTime: String!
    Expiry: String!
  }

  ${PRICE_ANALYSIS_TYPES}
`);

const fields = schema.getQueryType()?.getFields() ?? {};
if (fields.searchPackages !== undefined) {
  fields.searchPackages.resolve = (
    _root,
    variables: unknown,
    context: SchemaContext,
    { fieldNodes, fragments }: GraphQLResolveInfo,
  ) => context.searchPackages(variables, selectsFacets(fieldNodes, new Map(Object.entries(fragments))));
}
for (const name of ['priceAnalysis', 'cheapestDates', 'priceHistory', 'priceCalendar', 'explore'] as const) {
  const field = fields[name];
  if (field !== undefined) {
    field.resolve = (_root, variables: unknown, context: SchemaContext) => context[name](variables);
  }
}
