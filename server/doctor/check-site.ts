import type { Config } from '../config.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

/** Top-level names reserved for examples and tests (RFC 2606), which cannot be reached. */
const PLACEHOLDER = /(^|[./@])([\w-]+\.)*(example|invalid|test|localhost)(\.(com|net|org))?[/:]?$/;

/** In production: whether visitors can reach the operator and the site's URL. */
export function checkSite({ mode, operator, providerUrl, publicUrl }: Config): Finding[] {
  if (mode !== 'production') return [];
  const missing = [
    ...setting('PROVIDER_URL', hostOf(providerUrl)),
    ...setting('CONTACT_EMAIL', operator.email),
    ...setting('OPERATOR_NAME', operator.name),
    ...setting('OPERATOR_ADDRESS', operator.postalAddress),
  ];
  const findings = missing.length === 0 ? [ok('The operator and the contact of the site are set.')] : missing;
  if (publicUrl !== null) return findings;
  const remedy = 'Set it to the https URL of this site.';
  return [
    ...findings,
    warn('PUBLIC_URL is not set: there is no sitemap, and shared links have no picture.', remedy),
  ];
}

function setting(name: string, value: string | null): Finding[] {
  if (value === null) return [bad(`${name} is not set.`, `Set ${name}: docs/configuration.md explains it.`)];
  if (!PLACEHOLDER.test(value)) return [];
  return [bad(`${name} is a placeholder (${value}).`, `Set ${name} to the real one.`)];
}

function hostOf(url: string | null): string | null {
  return url === null ? null : (URL.parse(url)?.hostname ?? url);
}
