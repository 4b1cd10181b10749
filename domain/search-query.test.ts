import { Kind, parse, print, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import { SEARCH_PACKAGES_QUERY } from './search-query.ts';

describe('SEARCH_PACKAGES_QUERY', () => {
  const fields: string[] = [];
  visit(parse(SEARCH_PACKAGES_QUERY), {
    enter(node) {
      if (node.kind === Kind.FIELD) fields.push(node.name.value);
    },
  });

  it('is a single query with the variables of Section 7', () => {
    const [operation, ...others] = parse(SEARCH_PACKAGES_QUERY).definitions;
    expect(others).toEqual([]);
    expect(operation?.kind === 'OperationDefinition' && operation.variableDefinitions?.map(print)).toEqual([
      '$filters: PackageSearchFilters!',
      '$sortBy: PackageSort',
      '$limit: Int',
      '$nextToken: String',
    ]);
  });

  it('requests every field of an item (Section 3) and of the response (Section 7) once', () => {
    expect(fields.sort()).toEqual(
      (
        'searchPackages items nextToken count errors hasMoreData queriesExecuted totalReturned ' +
        'ItemKey Id TotalPrice HolidayCountry HolidayRegion HolidayResort Hotel Flight AdditionalData ' +
        'FlightNumber_Outbound FlightNumber_Inbound DepartureDate Duration BoardBasis Brand ' +
        'DepartureAirportCode_Outbound DepartureAirportCode_Inbound FreeChild LuggageIncluded ' +
        'HotelIdentifierCode NumberOfAdults NumberOfChildren NumberOfInfants Occupancy RoomCount ' +
        'RoomTypeDescription EventId EventTime Expiry'
      )
        .split(' ')
        .sort(),
    );
  });
});
