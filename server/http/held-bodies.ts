/** A client's body that is held in memory while it is uploaded and until there is an answer to its request. */
export interface HeldBody {
  /** Sets the bytes that the body takes. May end older unfinished uploads. False: there is no room for it. */
  resize(bytes: number): boolean;
  /** The upload is complete: from now on, it is not ended in favour of others. */
  complete(): void;
  /** The body is no longer needed. */
  release(): void;
}

/**
 * Bounds the memory of all bodies that are being uploaded or processed, and how many are being uploaded. If a body does not
 * fit, the upload that has been unfinished the longest is ended: bodies of real clients arrive within milliseconds, those of
 * an attack never end.
 */
export function heldBodies(
  mostBytes: number,
  mostUnfinished: number,
): { hold(end: () => void): HeldBody; readonly bytes: number } {
  /** In the order of their starts. */
  const unfinished = new Map<HeldBody, { end: () => void; bytes: () => number }>();
  let total = 0;

  function makeRoom(wanted: HeldBody): boolean {
    for (const [oldest, { end, bytes }] of unfinished) {
      if (total <= mostBytes) return true;
      if (oldest === wanted || bytes() === 0) continue;
      oldest.release();
      end();
    }
    return total <= mostBytes;
  }

  function endOldest(): void {
    for (const [oldest, { end }] of unfinished) {
      if (unfinished.size < mostUnfinished) return;
      oldest.release();
      end();
    }
  }

  return {
    hold(end) {
      endOldest();
      let own = 0;
      let isReleased = false;
      const body: HeldBody = {
        resize(bytes) {
          if (isReleased) return false;
          total += bytes - own;
          own = bytes;
          if (total <= mostBytes || makeRoom(body)) return true;
          body.release();
          return false;
        },
        complete: () => unfinished.delete(body),
        release() {
          isReleased = true;
          unfinished.delete(body);
          total -= own;
          own = 0;
        },
      };
      unfinished.set(body, { end, bytes: () => own });
      return body;
    },
    get bytes() {
      return total;
    },
  };
}
