import { ALERT_FAILED_MESSAGE } from '../../domain/alert-signup.ts';
import { formatUkPhone, INVALID_PHONE_MESSAGE, parseUkPhone } from '../../domain/uk-phone.ts';
import type { AlertSignupResult } from './send-alert-signup.ts';

/** The modal's states (Section 4); closed, it is not there. */
export type AlertForm =
  | { status: 'open'; phone: string; error: string | null }
  | { status: 'submitting'; phone: string; canonical: string }
  /** `phone` is the number that was sent, as a person reads it. */
  | { status: 'submitted'; phone: string };

export type AlertFormEvent =
  | { type: 'edit'; phone: string }
  | { type: 'submit' }
  | { type: 'answer'; result: AlertSignupResult };

export const EMPTY_ALERT_FORM: AlertForm = { status: 'open', phone: '', error: null };

/** A failure returns to the editable state with the number kept; editing clears the error (Section 4). */
export function alertForm(form: AlertForm, event: AlertFormEvent): AlertForm {
  switch (event.type) {
    case 'edit':
      return form.status === 'open' ? { status: 'open', phone: event.phone, error: null } : form;
    case 'submit': {
      if (form.status !== 'open') return form;
      const read = parseUkPhone(form.phone);
      if (read.kind === 'invalid') return { ...form, error: INVALID_PHONE_MESSAGE };
      return { status: 'submitting', phone: form.phone, canonical: read.canonical };
    }
    case 'answer': {
      if (form.status !== 'submitting') return form;
      if (event.result === 'accepted') return { status: 'submitted', phone: formatUkPhone(form.canonical) };
      const error = event.result === 'refused number' ? INVALID_PHONE_MESSAGE : ALERT_FAILED_MESSAGE;
      return { status: 'open', phone: form.phone, error };
    }
  }
}
