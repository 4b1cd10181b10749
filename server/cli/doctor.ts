import './closed-output.ts';
import { describeFindings, diagnose } from '../doctor/diagnose.ts';
import { tryToWrite } from '../doctor/try-to-write.ts';
import { freeBytesOf } from '../lib/free-bytes.ts';

// npm run doctor: prints problems and how to fix them. Changes nothing. Exits with 1 if anything is bad.
/** How long a mail server may take to answer. */
const LOGIN_TIMEOUT_MS = 10_000;

const TIMEOUT_MS = 5_000;

console.error('Checking. This takes a while if the store has gigabytes ...');
const findings = await diagnose({
  variables: process.env,
  nodeVersion: process.versions.node,
  folders: { page: 'dist/web', lists: 'assets' },
  now: Date.now(),
  freeBytes: freeBytesOf,
  tryToWrite,
  async logInTo(smtpUrl) {
    const { tryLogin } = await import('../alerts/providers/smtp-call.ts');
    return tryLogin(smtpUrl, LOGIN_TIMEOUT_MS);
  },
  async reach(url) {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    return response.status;
  },
});
console.log(describeFindings(findings));
if (findings.some(({ level }) => level === 'bad')) process.exitCode = 1;
