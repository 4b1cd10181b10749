/** The page's GraphQL query (Section 7). The server handles this exact text faster. */
export const SEARCH_PACKAGES_QUERY = `query searchPackages($filters: PackageSearchFilters!, $sortBy: PackageSort, $limit: Int, $nextToken: String) {
  searchPackages(filters: $filters, sortBy: $sortBy, limit: $limit, nextToken: $nextToken) {
    items {
      ItemKey
      Id
      TotalPrice
      HolidayCountry
      HolidayRegion
      HolidayResort
      Hotel
      Flight
      FlightNumber_Outbound
      FlightNumber_Inbound
      DepartureDate
      Duration
      AdditionalData
      BoardBasis
      Brand
      DepartureAirportCode_Outbound
      DepartureAirportCode_Inbound
      FreeChild
      LuggageIncluded
      HotelIdentifierCode
      NumberOfAdults
      NumberOfChildren
      NumberOfInfants
      Occupancy
      RoomCount
      RoomTypeDescription
      EventId
      EventTime
      Expiry
    }
    nextToken
    count
    errors
    hasMoreData
    queriesExecuted
    totalReturned
  }
}`;
