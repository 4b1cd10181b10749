import type { EmailChannel } from '../alerts/channel-settings.ts';
import type { Config } from '../config.ts';
import { installedCommand } from '../lib/installed-command.ts';
import { hasRecipient, type NoticeSettings } from '../notices/notice-settings.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

/** Top-level domains reserved for examples and tests (RFC 2606), which cannot be reached. */
const PLACEHOLDER = /(^|[./@])([\w-]+\.)*(example|invalid|test|localhost)(\.(com|net|org))?[/:>]?$/;

/** Matches the examples in the documents, in names and postal addresses. */
const EXAMPLE = /\bexample\b/i;

/** Checks, in production, whether visitors can reach the operator and the site's URL. */
export function checkSite(config: Config, email: EmailChannel | null): Finding[] {
  if (config.mode !== 'production') return [];
  const { operator, providerUrl, publicUrl } = config;
  const problems = [
    ...required('PROVIDER_URL', hostOf(providerUrl), PLACEHOLDER),
    ...required('CONTACT_EMAIL', operator.email, PLACEHOLDER),
    ...required('OPERATOR_NAME', operator.name, EXAMPLE),
    ...required('OPERATOR_ADDRESS', operator.postalAddress, EXAMPLE),
    ...placeholder('SECURITY_CONTACT', operator.securityContact, PLACEHOLDER),
    ...(email?.kind === 'smtp' ? placeholder('MAIL_FROM', email.from, PLACEHOLDER) : []),
  ];
  const contact =
    problems.length === 0 ? [ok('The operator and the contact of the site are set.')] : problems;
  return [...contact, ...checkPublicUrl(publicUrl)];
}

/** Checks, in production, whether anyone is notified of failures. */
export function checkNotices({ mode }: Config, notices: NoticeSettings): Finding[] {
  if (mode !== 'production') return [];
  if (hasRecipient(notices))
    return [ok(`Operators are notified of failures. Try it with ${installedCommand('notices', 'test')}.`)];
  return [
    warn(
      'Skylark notifies no one of failures.',
      'Set NOTICE_EMAIL or NOTICE_WEBHOOK: docs/operations-reference.md.',
    ),
  ];
}

function checkPublicUrl(url: string | null): Finding[] {
  const remedy = 'Set it to the https URL of this site.';
  if (url === null) {
    return [warn('PUBLIC_URL is not set: there is no sitemap, and shared links have no picture.', remedy)];
  }
  if (!url.startsWith('https:')) return [warn(`PUBLIC_URL is not an https URL (${url}).`, remedy)];
  return placeholder('PUBLIC_URL', hostOf(url), PLACEHOLDER);
}

function required(name: string, value: string | null, example: RegExp): Finding[] {
  if (value === null) return [bad(`${name} is not set.`, `Set ${name}: docs/configuration.md explains it.`)];
  return placeholder(name, value, example);
}

function placeholder(name: string, value: string | null, example: RegExp): Finding[] {
  if (value === null || !example.test(value)) return [];
  return [bad(`${name} is a placeholder (${value}).`, `Set ${name} to the real one.`)];
}

function hostOf(url: string | null): string | null {
  return url === null ? null : (URL.parse(url)?.hostname ?? url);
}
