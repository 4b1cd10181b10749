import { type FormEvent, useId, useRef, useState } from 'react';
import { ALERT_CONSENTS, ALERT_FAILED_MESSAGE } from '../../domain/alert-signup.ts';
import { INVALID_EMAIL_MESSAGE, parseEmailAddress } from '../../domain/email-address.ts';
import { keepFormInView } from '../ui/keep-form-in-view.ts';
import { type ChannelSignupTarget, sendChannelSignup } from './send-channel-signup.ts';
import { canSubscribe, subscribeBrowser } from './subscribe-browser.ts';

export interface OfferedWays {
  email: boolean;
  /** The key for web push subscriptions; null if the site does not offer web push. */
  webPushKey: string | null;
}

interface OtherWaysProps {
  target: ChannelSignupTarget;
  ways: OfferedWays;
}

type Status = { step: 'open'; error: string | null } | { step: 'submitting' | 'submitted' };

const OPEN: Status = { step: 'open', error: null };

/** Alerts by email and in the browser, below the modal's consent text. */
export function OtherWays({ target, ways: { email, webPushKey } }: OtherWaysProps) {
  const hasPush = webPushKey !== null && canSubscribe();
  if (!email && !hasPush) return null;
  const places = [email ? 'by email' : null, hasPush ? 'in this browser' : null].filter(
    (place) => place !== null,
  );
  return (
    <section className="alert-ways">
      <h3>{`Or ${places.join(', or ')}`}</h3>
      {email && <ByEmail target={target} />}
      {hasPush && <InBrowser target={target} publicKey={webPushKey} />}
    </section>
  );
}

function ByEmail({ target }: { target: ChannelSignupTarget }) {
  const [status, setStatus] = useState<Status>(OPEN);
  const [address, setAddress] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const error = status.step === 'open' ? status.error : null;

  function fail(message: string) {
    setStatus({ step: 'open', error: message });
    field.current?.focus();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (status.step !== 'open') return;
    const email = parseEmailAddress(address);
    if (email.kind === 'invalid') return fail(INVALID_EMAIL_MESSAGE);
    setStatus({ step: 'submitting' });
    const result = await sendChannelSignup(target, { platform: 'email', channel_id: email.canonical });
    if (result.kind === 'accepted') setStatus({ step: 'submitted' });
    else fail(result.kind === 'refused' ? INVALID_EMAIL_MESSAGE : ALERT_FAILED_MESSAGE);
  }

  return (
    <form className="alert-form" onSubmit={(event) => void submit(event)} onFocus={keepFormInView} noValidate>
      <label htmlFor={id}>Your email address</label>
      <input
        id={id}
        ref={field}
        type="email"
        autoComplete="email"
        value={address}
        onChange={(event) => {
          setAddress(event.target.value);
          setStatus((now) => (now.step === 'open' ? OPEN : now));
        }}
        readOnly={status.step !== 'open'}
        aria-invalid={error !== null}
        aria-describedby={`${id}-error ${id}-consent`}
      />
      <p id={`${id}-error`} className="alert-error" role="alert">
        {error}
      </p>
      <button className="button-quiet" type="submit" aria-disabled={status.step !== 'open'}>
        {wordsOf(status, 'Track by email')}
      </button>
      <p className="alert-success" role="status">
        {status.step === 'submitted' && 'We’ve emailed you: open it to confirm your alerts'}
      </p>
      <p id={`${id}-consent`} className="alert-consent">
        {ALERT_CONSENTS.email.wording}
      </p>
    </form>
  );
}

const NOT_SUBSCRIBED = {
  dismissed: 'You haven’t allowed notifications yet. Try again, and choose ‘Allow’ when your browser asks.',
  blocked: 'Notifications from this site are blocked. Allow them in your browser’s settings, then try again.',
  failed: ALERT_FAILED_MESSAGE,
};

function InBrowser({ target, publicKey }: { target: ChannelSignupTarget; publicKey: string }) {
  const [status, setStatus] = useState<Status>(OPEN);
  const id = useId();

  async function subscribe() {
    if (status.step !== 'open') return;
    setStatus({ step: 'submitting' });
    const browser = await subscribeBrowser(publicKey);
    if (browser.kind !== 'subscribed') {
      setStatus({ step: 'open', error: NOT_SUBSCRIBED[browser.kind] });
      return;
    }
    const { endpoint, keys } = browser;
    const result = await sendChannelSignup(target, { platform: 'push', channel_id: endpoint, keys });
    setStatus(
      result.kind === 'accepted' ? { step: 'submitted' } : { step: 'open', error: ALERT_FAILED_MESSAGE },
    );
  }

  return (
    <div className="alert-browser">
      <button
        className="button-quiet"
        type="button"
        aria-describedby={`${id}-consent`}
        aria-disabled={status.step !== 'open'}
        onClick={() => void subscribe()}
      >
        {wordsOf(status, 'Track in this browser')}
      </button>
      <p className="alert-error" role="alert">
        {status.step === 'open' && status.error}
      </p>
      <p className="alert-success" role="status">
        {status.step === 'submitted' && 'We’ll notify you here when this holiday’s price drops'}
      </p>
      <p id={`${id}-consent`} className="alert-consent">
        {ALERT_CONSENTS.push.wording}
      </p>
    </div>
  );
}

function wordsOf({ step }: Status, open: string): string {
  return { open, submitting: 'Submitting...', submitted: 'Submitted' }[step];
}
