/** Requests that are open at the same time, of all clients and of one network. */
export interface OpenRequestLimits {
  all: number;
  /** Of one network, however few others have. */
  ofNetwork: number;
  /** Of one network while all have more than `all`: whoever holds many does not shut out who asks one thing. */
  ofNetworkWhileFull: number;
  /** Beyond this, nobody gets in. */
  most: number;
}

export const OPEN_REQUEST_LIMITS: OpenRequestLimits = {
  all: 1_000,
  ofNetwork: 100,
  ofNetworkWhileFull: 2,
  most: 4_000,
};

export interface OpenRequest {
  /** Its refusal is held back: it costs nothing any more, but its network still waits for it. */
  hold(): void;
  /** It has been answered, or its connection is closed. */
  end(): void;
}

/** Counts open requests: being uploaded, worked on, or with a response that is not read yet. */
export interface OpenRequests {
  /** Those that are not held back. */
  all(): number;
  /** Whether a network may open one more. */
  allows(network: string): boolean;
  open(network: string): OpenRequest;
}

export function openRequests(limits: OpenRequestLimits): OpenRequests {
  const ofNetworks = new Map<string, number>();
  let all = 0;
  return {
    all: () => all,
    allows(network) {
      const own = ofNetworks.get(network) ?? 0;
      if (own >= limits.ofNetwork || all >= limits.most) return false;
      return all < limits.all || own < limits.ofNetworkWhileFull;
    },
    open(network) {
      all += 1;
      ofNetworks.set(network, (ofNetworks.get(network) ?? 0) + 1);
      let isCounted = true;
      let isOpen = true;
      const hold = () => {
        if (isCounted) all -= 1;
        isCounted = false;
      };
      return {
        hold,
        end() {
          hold();
          if (!isOpen) return;
          isOpen = false;
          const left = (ofNetworks.get(network) ?? 1) - 1;
          if (left === 0) ofNetworks.delete(network);
          else ofNetworks.set(network, left);
        },
      };
    },
  };
}
