import { useEffect, useState } from 'react';
import { forgetSubscription, hasSubscriptionEnded } from './remembered-subscription.ts';

/** Says on the next visit that this browser's price alerts have ended, as after a new key or cleared permissions. */
export function EndedSubscription() {
  const [hasEnded, setEnded] = useState(false);
  useEffect(() => {
    void hasSubscriptionEnded().then(setEnded);
  }, []);
  if (!hasEnded) return null;
  return (
    <div className="reload-offer" role="status">
      <p>Price alerts in this browser have ended. To get them again, set one up on any holiday.</p>
      <button
        type="button"
        className="button-quiet"
        onClick={() => {
          setEnded(false);
          void forgetSubscription();
        }}
      >
        OK
      </button>
    </div>
  );
}
