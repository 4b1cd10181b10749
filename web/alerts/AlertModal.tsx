import { type FormEvent, useEffect, useId, useReducer, useRef } from 'react';
import { ALERT_CONSENT } from '../../domain/alert-signup.ts';
import { parseCalendarDate } from '../../domain/calendar-date.ts';
import { formatLongDate } from '../../domain/day-words.ts';
import { formatPounds } from '../../domain/money.ts';
import { departureDay, type PackageHoliday } from '../../domain/package-holiday.ts';
import { keepFormInView } from '../ui/keep-form-in-view.ts';
import { Modal } from '../ui/Modal.tsx';
import { alertForm, EMPTY_ALERT_FORM } from './alert-form.ts';
import { alertSearch } from './alert-search.ts';
import { type OfferedWays, OtherWays } from './OtherWays.tsx';
import { type AlertChannel, sendAlertSignup } from './send-alert-signup.ts';
import './alert-modal.css';

interface AlertModalProps {
  holiday: PackageHoliday;
  /** The name of the departure airport. */
  airport: string;
  /** In whole pounds for the party. If set, only a price below it causes an alert. */
  below?: number | undefined;
  /** The URL of the search that found the package. */
  searchUrl: string;
  channel: AlertChannel;
  /** Who sends the messages. */
  brandName: string;
  /** Whether an alert starts only after a YES. */
  needsYes: boolean;
  /** The channels besides WhatsApp. */
  ways: OfferedWays;
  onClose(): void;
}

/** 'Watch this': a form for the phone number, with the consent text (Section 2). */
export function AlertModal(props: AlertModalProps) {
  const { holiday, airport, below, searchUrl, channel, brandName, needsYes, ways, onClose } = props;
  const search = alertSearch(searchUrl);
  const [form, dispatch] = useReducer(alertForm, EMPTY_ALERT_FORM);
  const id = useId();
  const phoneField = useRef<HTMLInputElement>(null);
  const error = form.status === 'open' ? form.error : null;
  const isSubmitted = form.status === 'submitted';

  const canonical = form.status === 'submitting' ? form.canonical : null;
  useEffect(() => {
    if (canonical === null) return;
    void sendAlertSignup(channel, canonical, { packageHoliday: holiday, belowPrice: below, search }).then(
      (result) => dispatch({ type: 'response', result }),
    );
  }, [canonical, channel, holiday, below, search]);

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
          <strong>{holiday.HotelDetails.HotelName}</strong>
          <span>{watchedWords(holiday, airport)}</span>
          <span>{priceWords(holiday, below)}</span>
        </span>
      </p>
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
        target={{ endpoint: channel.endpoint, itemKey: holiday.ItemKey, below, search }}
        ways={ways}
      />
    </Modal>
  );
}

/** '1st May 2027 from London Gatwick, 7 nights'. Leaves out what is unknown. */
function watchedWords(holiday: PackageHoliday, airport: string): string {
  const date = parseCalendarDate(departureDay(holiday));
  const when = [date && formatLongDate(date), airport && `from ${airport}`].filter(Boolean).join(' ');
  const nights = `${holiday.Duration} ${holiday.Duration === 1 ? 'night' : 'nights'}`;
  return when === '' ? nights : `${when}, ${nights}`;
}

function priceWords({ PriceDetails }: PackageHoliday, below: number | undefined): string {
  const now = `${formatPounds(PriceDetails.TotalPrice)} now`;
  return below === undefined ? now : `${now}, alert below ${formatPounds(below)}`;
}

function nextStep(needsYes: boolean, waitsUntil: string | null): string | null {
  if (waitsUntil !== null)
    return `It’s late, so we’ll message you after ${waitsUntil}. Reply YES to start your alerts.`;
  return needsYes ? 'Reply YES to the message we’ve just sent' : null;
}

const BUTTON_WORDS = { open: 'Track with WhatsApp', submitting: 'Submitting...', submitted: 'Submitted' };
