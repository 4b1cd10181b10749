import { tally } from '../lib/tally.ts';

/** Requests that are open at the same time, of all clients and of one network. */
export interface OpenRequestLimits {
  all: number;
  /** Of one network, however few others have. */
  ofNetwork: number;
  /** Of one network while all have more than `all`: whoever holds many does not shut out who asks one thing. */
  ofNetworkWhileFull: number;
  /** The same if it asks for a page or its files, which browsers do side by side. */
  ofPageWhileFull: number;
  /** Beyond this, nobody gets in. */
  most: number;
}

export const OPEN_REQUEST_LIMITS: OpenRequestLimits = {
  all: 1_000,
  ofNetwork: 100,
  ofNetworkWhileFull: 2,
  ofPageWhileFull: 20,
  most: 4_000,
};

export interface OpenRequest {
  /** Its body has arrived: from now on it counts among all. */
  arrive(): void;
  /** Its refusal is held back: it costs nothing any more, but its network still waits for it. */
  hold(): void;
  /** It has been answered, or its connection is closed. */
  end(): void;
}

/**
 * Counts open requests: worked on, or with a response that is not read yet. Those that are being uploaded count for their
 * network only: slow uploads are bounded where bodies are held, and take nobody's place.
 */
export interface OpenRequests {
  /** Those that have arrived and are not held back. */
  all(): number;
  /** Whether a network may open one more. */
  allows(network: string, isOfPage: boolean): boolean;
  open(network: string, isUpload: boolean): OpenRequest;
}

export function openRequests(limits: OpenRequestLimits): OpenRequests {
  const ofNetworks = tally();
  let all = 0;
  return {
    all: () => all,
    allows(network, isOfPage) {
      const own = ofNetworks.of(network);
      if (own >= limits.ofNetwork || all >= limits.most) return false;
      return all < limits.all || own < (isOfPage ? limits.ofPageWhileFull : limits.ofNetworkWhileFull);
    },
    open(network, isUpload) {
      ofNetworks.add(network);
      let state: 'uploaded' | 'counted' | 'held' = 'uploaded';
      let isOpen = true;
      const arrive = () => {
        if (state !== 'uploaded') return;
        state = 'counted';
        all += 1;
      };
      const hold = () => {
        if (state === 'counted') all -= 1;
        state = 'held';
      };
      if (!isUpload) arrive();
      return {
        arrive,
        hold,
        end() {
          hold();
          if (!isOpen) return;
          isOpen = false;
          ofNetworks.takeOff(network);
        },
      };
    },
  };
}
