import { useRef } from 'react';
import { airportSelectionKey } from '../../domain/airport.ts';
import { partyCode } from '../../domain/party.ts';
import { useFetched } from '../ui/use-fetched.ts';
import {
  type ExploreOutcome,
  type ExploreRequest,
  type ExploreService,
  fetchExplore,
} from './fetch-explore.ts';

export type ExploreState = { kind: 'loading' } | { kind: 'failed' } | ExploreOutcome;

const LOADING = { kind: 'loading' } as const;
const FAILED = { kind: 'failed' } as const;

/** The lowest prices for a request; null requests nothing. They are cached for Back and Forward. */
export function useExplorePrices(
  request: ExploreRequest | null,
  service: ExploreService,
): { state: ExploreState; retry: () => void } {
  const cache = useRef(new Map<string, ExploreOutcome>());
  const key = request === null ? null : keyOf(request, service);
  const { state, retry } = useFetched('The prices of places', key, async (signal) => {
    if (request === null || key === null) throw new Error('Nothing is requested');
    const outcome = cache.current.get(key) ?? (await fetchExplore(service, request, signal));
    cache.current.set(key, outcome);
    return outcome;
  });
  if (state.status === 'stored') return { state: state.value, retry };
  return { state: state.status === 'failed' ? FAILED : LOADING, retry };
}

function keyOf({ airport, span, nights, party }: ExploreRequest, service: ExploreService): string {
  const { searchEndpoint, searchApiKey, brandCode } = service;
  const trip = [airportSelectionKey(airport), span.first, span.last, nights, partyCode(party)];
  return JSON.stringify([searchEndpoint, searchApiKey, brandCode, ...trip]);
}
