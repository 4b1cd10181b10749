import { type FormEvent, useEffect, useId, useMemo, useReducer, useRef, useState } from 'react';
import { ALERT_CONSENT } from '../../domain/alert-signup.ts';
import { formatPounds } from '../../domain/money.ts';
import { offeredLimit, watchWords } from '../../domain/search-watch.ts';
import type { PageConfig } from '../config/page-config.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { toSearchUrl } from '../search/search-url.ts';
import { keepFormInView } from '../ui/keep-form-in-view.ts';
import { Modal } from '../ui/Modal.tsx';
import { alertForm, EMPTY_ALERT_FORM } from './alert-form.ts';
import { type AlertSubject, intentOf, linesOf } from './alert-subject.ts';
import { OtherWays } from './OtherWays.tsx';
import { PoundsField } from './PoundsField.tsx';
import { sendAlertSignup } from './send-alert-signup.ts';
import type { WatchedSearch } from './watched-search.ts';
import './alert-modal.css';

interface AlertModalProps {
  subject: AlertSubject;
  config: PageConfig;
  onClose(): void;
}

/** 'Watch this': a form for the phone number, with the consent text (Section 2). */
export function AlertModal({ subject, config, onClose }: AlertModalProps) {
  const { conversationEndpoint, whatsappChannelId, brandName, alertsNeedYes: needsYes } = config;
  const channel = useMemo(
    () => ({ endpoint: conversationEndpoint ?? '', channelId: whatsappChannelId ?? '' }),
    [conversationEndpoint, whatsappChannelId],
  );
  const [pounds, setPounds] = useState(subject.kind === 'search' ? subject.offered : '');
  const intent = useMemo(() => intentOf(subject, pounds), [subject, pounds]);
  const [name, ...details] = linesOf(subject);
  const [form, dispatch] = useReducer(alertForm, EMPTY_ALERT_FORM);
  const id = useId();
  const phoneField = useRef<HTMLInputElement>(null);
  const error = form.status === 'open' ? form.error : null;
  const isSubmitted = form.status === 'submitted';

  const canonical = form.status === 'submitting' ? form.canonical : null;
  useEffect(() => {
    if (canonical === null) return;
    void sendAlertSignup(channel, canonical, intent).then((result) => dispatch({ type: 'response', result }));
  }, [canonical, channel, intent]);

  useEffect(() => {
    if (error !== null) phoneField.current?.focus();
  }, [error]);

  function submit(event: FormEvent) {
    event.preventDefault();
    dispatch({ type: 'submit' });
  }

  return (
    <Modal title="Watch this" onClose={onClose}>
      <p className="alert-holiday">
        <img src="/assets/channels/whatsapp.svg" alt="" width={24} height={24} />
        <span>
          <strong>{name}</strong>
          {details.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </span>
      </p>
      {subject.kind === 'search' && (
        <PoundsField isBooked={subject.isBooked} value={pounds} onChange={setPounds} />
      )}
      <ul className="alert-promises">
        <li>Send me price drops for this and similar deals</li>
        <li>No spam, just useful updates</li>
      </ul>
      <form className="alert-form" onSubmit={submit} onFocus={keepFormInView} noValidate>
        <label htmlFor={id}>Your phone number</label>
        <input
          id={id}
          ref={phoneField}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          placeholder="Enter your UK mobile number"
          value={form.phone}
          onChange={(event) => dispatch({ type: 'edit', phone: event.target.value })}
          readOnly={form.status !== 'open'}
          aria-invalid={error !== null}
          aria-describedby={`${id}-error ${id}-consent`}
        />
        <p id={`${id}-error`} className="alert-error" role="alert">
          {error}
        </p>
        <button className="button-action" type="submit" aria-disabled={form.status !== 'open'}>
          {BUTTON_WORDS[form.status]}
        </button>
      </form>
      <p className="alert-success" role="status">
        {isSubmitted && 'Keep an eye on your WhatsApp for updates and notifications about this holiday'}
      </p>
      <p className="alert-success" role="status">
        {form.status === 'submitted' && nextStep(needsYes, form.waitsUntil)}
      </p>
      <p id={`${id}-consent`} className="alert-consent">
        {ALERT_CONSENT.wording}
      </p>
      <p className="alert-consent">
        {needsYes && <span>{'To start your alerts, reply YES to our WhatsApp message. '}</span>}
        <span>Replied STOP before? Send us START first.</span>
      </p>
      <p className="alert-consent">
        <span>{`Messages come from ${brandName}. `}</span>
        <a href="/privacy" target="_blank" rel="noopener noreferrer">
          <span>How we look after your number</span>
          <span className="visually-hidden"> (opens in a new tab)</span>
        </a>
      </p>
      <OtherWays
        target={{ endpoint: channel.endpoint, intent }}
        ways={{ email: config.emailAlerts, ntfy: config.ntfyAlerts, webPushKey: config.webPushKey }}
      />
    </Modal>
  );
}

function nextStep(needsYes: boolean, waitsUntil: string | null): string | null {
  if (waitsUntil !== null)
    return `It’s late, so we’ll message you after ${waitsUntil}. Reply YES to start your alerts.`;
  return needsYes ? 'Reply YES to the message we’ve just sent' : null;
}

const BUTTON_WORDS = { open: 'Track with WhatsApp', submitting: 'Submitting...', submitted: 'Submitted' };

/** The modal for a search to watch. */
export function SearchAlert({ watched, onClose }: { watched: WatchedSearch; onClose(): void }) {
  const { config } = useSearchContext();
  const subject = useMemo(() => subjectOf(watched), [watched]);
  return <AlertModal subject={subject} config={config} onClose={onClose} />;
}

function subjectOf({ search, until, lowest, hotelName, isBooked }: WatchedSearch): AlertSubject {
  const { departureAirport: airport, date } = search;
  const url = toSearchUrl(search);
  const offered = lowest === null ? '' : String(isBooked ? Math.round(lowest) : offeredLimit(lowest));
  return {
    kind: 'search',
    url: until === null ? url : `${url}&until=${until}`,
    name: airport && date ? watchWords({ ...search, airport, date, until }, hotelName) : '',
    price: lowest === null ? 'Nothing on sale now' : `From ${formatPounds(lowest)} now`,
    offered,
    isBooked,
  };
}
