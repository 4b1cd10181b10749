import { describe, expect, it } from 'vitest';
import { type AlertForm, alertForm, EMPTY_ALERT_FORM } from './alert-form.ts';

const typed: AlertForm = { status: 'open', phone: '07700 900123', error: null };
const submitting = alertForm(typed, { type: 'submit' });

describe('alertForm', () => {
  // @proves 4.9
  it('goes from open to submitting with the canonical number, then to submitted', () => {
    expect(submitting).toEqual({ status: 'submitting', phone: '07700 900123', canonical: '447700900123' });
    expect(
      alertForm(submitting, { type: 'response', result: { kind: 'accepted', waitsUntil: null } }),
    ).toEqual({
      status: 'submitted',
      phone: '+44 7700 900123',
      waitsUntil: null,
    });
  });

  it.each(['', '12', '07700 9001', 'phone', '0770090012345'])('rejects %j without sending it', (phone) => {
    expect(alertForm({ ...typed, phone }, { type: 'submit' })).toEqual({
      status: 'open',
      phone,
      error: 'Please enter a valid UK phone number',
    });
  });

  it.each([
    [{ kind: 'failed' }, 'Something went wrong. Please try again.'],
    [{ kind: 'refused' }, 'Please enter a valid UK phone number'],
  ] as const)('becomes editable again, with the number, if the sign-up is %s', (result, error) => {
    expect(alertForm(submitting, { type: 'response', result })).toEqual({ ...typed, error });
  });

  it('clears the error on editing, and ignores edits while submitting', () => {
    const failed = alertForm(submitting, { type: 'response', result: { kind: 'failed' } });
    expect(alertForm(failed, { type: 'edit', phone: '1' })).toEqual({
      status: 'open',
      phone: '1',
      error: null,
    });
    expect(alertForm(submitting, { type: 'edit', phone: '1' })).toBe(submitting);
  });

  it('submits only once, and ignores unexpected results', () => {
    expect(alertForm(submitting, { type: 'submit' })).toBe(submitting);
    expect(
      alertForm(EMPTY_ALERT_FORM, { type: 'response', result: { kind: 'accepted', waitsUntil: null } }),
    ).toBe(EMPTY_ALERT_FORM);
  });
});
