import { hasRecipient } from '../../notices/notice-settings.ts';
import type { Condition, Fault } from '../condition.ts';
import type { DoctorView } from './doctor-view.ts';

/** Top-level domains reserved for examples and tests (RFC 2606), which cannot be reached. */
const PLACEHOLDER = /(^|[./@])([\w-]+\.)*(example|invalid|test|localhost)(\.(com|net|org))?[/:>]?$/;

/** Matches the examples in the documents, in names and postal addresses. */
const EXAMPLE = /\bexample\b/i;

export const OPERATOR_UNSET: Condition<Pick<DoctorView, 'config' | 'alerts'>> = {
  id: 'operator',
  level: 'bad',
  sentence: '$ is not set',
  remedy: 'Set it: docs/configuration.md explains it.',
  read({ config: { mode, operator, providerUrl, publicUrl }, alerts: { email } }) {
    if (mode !== 'production') return false;
    const hostOf = (url: string | null) => (url === null ? null : (URL.parse(url)?.hostname ?? url));
    const problems = [
      ...required('PROVIDER_URL', hostOf(providerUrl), PLACEHOLDER),
      ...required('CONTACT_EMAIL', operator.email, PLACEHOLDER),
      ...required('OPERATOR_NAME', operator.name, EXAMPLE),
      ...required('OPERATOR_ADDRESS', operator.postalAddress, EXAMPLE),
      ...placeholder('SECURITY_CONTACT', operator.securityContact, PLACEHOLDER),
      ...placeholder('PUBLIC_URL', hostOf(publicUrl), PLACEHOLDER),
      ...placeholder('MAIL_FROM', email?.kind === 'smtp' ? email.from : null, PLACEHOLDER),
    ];
    return problems.length === 0 ? 'The operator and the contact of the site are set.' : problems;
  },
};

function required(name: string, value: string | null, example: RegExp): Fault[] {
  return value === null ? [{ subject: name }] : placeholder(name, value, example);
}

function placeholder(name: string, value: string | null, example: RegExp): Fault[] {
  const sentence = `$ is a placeholder (${value})`;
  return value !== null && example.test(value)
    ? [{ subject: name, sentence, remedy: 'Set the real one.' }]
    : [];
}

export const PUBLIC_URL_WRONG: Condition<Pick<DoctorView, 'config'>> = {
  id: 'public url',
  level: 'warn',
  sentence: 'PUBLIC_URL is not set: there is no sitemap, and shared links have no picture',
  remedy: 'Set it to the https URL of this site.',
  read: ({ config: { mode, publicUrl: url } }) =>
    mode === 'production' &&
    url?.startsWith('https:') !== true &&
    (url === null ? {} : { sentence: `PUBLIC_URL is not an https URL (${url})` }),
};

export const NOTICES_OFF: Condition<DoctorView> = {
  id: 'notices',
  level: 'warn',
  sentence: 'Skylark notifies no one of failures',
  remedy: 'Set NOTICE_EMAIL or NOTICE_WEBHOOK: docs/operations-reference.md.',
  read: ({ config: { mode }, notices }) => mode === 'production' && !hasRecipient(notices) && {},
};

export const UNKNOWN_SETTING: Condition<DoctorView> = {
  id: 'setting',
  level: 'warn',
  sentence: 'A setting has no effect, or a bad one',
  remedy: 'docs/configuration.md lists every variable.',
  read: ({ warnings }) => warnings.map((sentence) => ({ sentence })),
};
