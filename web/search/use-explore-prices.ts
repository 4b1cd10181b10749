import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { airportSelectionKey } from '../../domain/airport.ts';
import { partyCode } from '../../domain/party.ts';
import {
  type ExploreOutcome,
  type ExploreRequest,
  type ExploreService,
  fetchExplore,
} from './fetch-explore.ts';
import { serviceKey } from './search-service.ts';

export type ExploreState = { kind: 'loading' | 'failed' } | ExploreOutcome;

/** The lowest prices for a request; null requests nothing. */
export function useExplorePrices(
  request: ExploreRequest | null,
  service: ExploreService,
): UseQueryResult<ExploreOutcome> {
  return useQuery({
    queryKey: ['explore', ...serviceKey(service), service.brandCode, request && tripOf(request)],
    queryFn: ({ signal }) =>
      request === null
        ? Promise.reject(new Error('Nothing is requested'))
        : fetchExplore(service, request, signal),
    enabled: request !== null,
    meta: { what: 'The prices of places' },
  });
}

function tripOf({ airport, span, nights, party }: ExploreRequest) {
  return [airportSelectionKey(airport), span.first, span.last, nights, partyCode(party)];
}
