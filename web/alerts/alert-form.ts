import { ALERT_FAILED_MESSAGE } from '../../domain/alert-signup.ts';
import { formatUkPhone, INVALID_PHONE_MESSAGE, parseUkPhone } from '../../domain/uk-phone.ts';
import type { AlertSignupResult } from './send-alert-signup.ts';

/** The states of the open modal (Section 4). A closed modal is not rendered. */
export type AlertForm =
  | { status: 'open'; phone: string; error: string | null }
  | { status: 'submitting'; phone: string; canonical: string }
  /** `phone` is the submitted number, formatted for display. */
  | { status: 'submitted'; phone: string; waitsUntil: string | null };

export type AlertFormEvent =
  | { type: 'edit'; phone: string }
  | { type: 'submit' }
  | { type: 'response'; result: AlertSignupResult };

export const EMPTY_ALERT_FORM: AlertForm = { status: 'open', phone: '', error: null };

/** A failure returns to the editable state and keeps the number; editing clears the error (Section 4). */
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
    case 'response': {
      if (form.status !== 'submitting') return form;
      const { result } = event;
      if (result.kind === 'accepted')
        return { status: 'submitted', phone: formatUkPhone(form.canonical), waitsUntil: result.waitsUntil };
      const error = result.kind === 'refused' ? INVALID_PHONE_MESSAGE : ALERT_FAILED_MESSAGE;
      return { status: 'open', phone: form.phone, error };
    }
  }
}
