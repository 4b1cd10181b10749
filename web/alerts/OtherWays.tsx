import { type FormEvent, useId, useRef, useState } from 'react';
import { ALERT_CONSENTS, ALERT_FAILED_MESSAGE, NTFY_TOPIC } from '../../domain/alert-signup.ts';
import { INVALID_EMAIL_MESSAGE, parseEmailAddress } from '../../domain/email-address.ts';
import { keepFormInView } from '../ui/keep-form-in-view.ts';
import { type ChannelSignupTarget, sendChannelSignup } from './send-channel-signup.ts';
import { canSubscribe, subscribeBrowser } from './subscribe-browser.ts';

export interface OfferedWays {
  email: boolean;
  ntfy: boolean;
  /** The key for web push subscriptions; null if the site does not offer web push. */
  webPushKey: string | null;
}

interface OtherWaysProps {
  target: ChannelSignupTarget;
  ways: OfferedWays;
}

type Status = { step: 'open'; error: string | null } | { step: 'submitting' | 'submitted' };

const OPEN: Status = { step: 'open', error: null };

/** Alerts by email, through ntfy and in the browser, below the modal's consent text. */
export function OtherWays({ target, ways: { email, ntfy, webPushKey } }: OtherWaysProps) {
  const hasPush = webPushKey !== null && canSubscribe();
  const places = [email && 'by email', ntfy && 'through ntfy', hasPush && 'in this browser'].filter(Boolean);
  if (places.length === 0) return null;
  return (
    <section className="alert-ways">
      <h3>{`Or ${places.join(', or ')}`}</h3>
      {email && <ByAddress way={BY_EMAIL} target={target} />}
      {ntfy && <ByAddress way={BY_NTFY} target={target} />}
      {hasPush && <InBrowser target={target} publicKey={webPushKey} />}
    </section>
  );
}

/** A way for which the visitor types an address, and then confirms through a message to it. */
interface AddressWay {
  platform: 'email' | 'ntfy';
  label: string;
  button: string;
  sent: string;
  wrong: string;
  /** Null: not an address. */
  read(text: string): string | null;
}

const BY_EMAIL: AddressWay = {
  platform: 'email',
  label: 'Your email address',
  button: 'Track by email',
  sent: 'We’ve emailed you: open it to confirm your alerts',
  wrong: INVALID_EMAIL_MESSAGE,
  read(text) {
    const email = parseEmailAddress(text);
    return email.kind === 'invalid' ? null : email.canonical;
  },
};

const BY_NTFY: AddressWay = {
  platform: 'ntfy',
  label: 'Your ntfy topic',
  button: 'Track through ntfy',
  sent: 'We’ve sent a notification: open it to confirm your alerts',
  wrong: 'Please enter a topic of letters, digits, - and _',
  read: (text) => (NTFY_TOPIC.test(text.trim()) ? text.trim() : null),
};

function ByAddress({ way, target }: { way: AddressWay; target: ChannelSignupTarget }) {
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
    const channelId = way.read(address);
    if (channelId === null) return fail(way.wrong);
    setStatus({ step: 'submitting' });
    const result = await sendChannelSignup(target, { platform: way.platform, channel_id: channelId });
    if (result.kind === 'accepted') setStatus({ step: 'submitted' });
    else fail(result.kind === 'refused' ? way.wrong : ALERT_FAILED_MESSAGE);
  }

  return (
    <form className="alert-form" onSubmit={(event) => void submit(event)} onFocus={keepFormInView} noValidate>
      <label htmlFor={id}>{way.label}</label>
      <input
        id={id}
        ref={field}
        type={way.platform === 'email' ? 'email' : 'text'}
        autoComplete={way.platform === 'email' ? 'email' : 'off'}
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
        {wordsOf(status, way.button)}
      </button>
      <p className="alert-success" role="status">
        {status.step === 'submitted' && way.sent}
      </p>
      <p id={`${id}-consent`} className="alert-consent">
        {ALERT_CONSENTS[way.platform].wording}
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
