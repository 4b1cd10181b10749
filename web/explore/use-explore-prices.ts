import { useCallback, useEffect, useRef, useState } from 'react';
import { airportSelectionKey } from '../../domain/airport.ts';
import { partyCode } from '../../domain/party.ts';
import type { PageConfig } from '../config/page-config.ts';
import { type ExploreAnswer, type ExploreQuestion, fetchExplore } from './fetch-explore.ts';

export type ExploreState = { kind: 'loading' } | { kind: 'failed' } | ExploreAnswer;

const LOADING = { kind: 'loading' } as const;
const FAILED = { kind: 'failed' } as const;

/** The answer to a question, and a function that asks again after a failure. Answers are kept for Back and Forward. */
export function useExplorePrices(
  question: ExploreQuestion | null,
  config: PageConfig,
): { state: ExploreState; retry: () => void } {
  const { searchEndpoint, searchApiKey, brandCode } = config;
  const kept = useRef(new Map<string, ExploreAnswer>());
  const [known, setKnown] = useState<{ key: string; state: ExploreState } | null>(null);
  const [attempt, setAttempt] = useState(0);
  const key = question === null ? '' : keyOf(question);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key has every part of the question; an attempt asks again.
  useEffect(() => {
    if (question === null) return;
    const answered = kept.current.get(key);
    if (answered !== undefined) {
      setKnown({ key, state: answered });
      return;
    }
    const abort = new AbortController();
    setKnown({ key, state: LOADING });
    fetchExplore({ searchEndpoint, searchApiKey, brandCode }, question, abort.signal).then(
      (state) => {
        if (abort.signal.aborted) return;
        kept.current.set(key, state);
        setKnown({ key, state });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        console.error('The prices of places could not be fetched.', error);
        setKnown({ key, state: FAILED });
      },
    );
    return () => abort.abort();
  }, [key, searchEndpoint, searchApiKey, brandCode, attempt]);

  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { state: known?.key === key ? known.state : LOADING, retry };
}

function keyOf({ airport, span, nights, party }: ExploreQuestion): string {
  return [airportSelectionKey(airport), span.first, span.last, nights ?? 'any', partyCode(party)].join(' ');
}
