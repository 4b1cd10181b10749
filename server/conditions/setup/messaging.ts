import { readVapidKeys } from '../../alerts/keys/vapid-key.ts';
import { errorMessage } from '../../lib/error-message.ts';
import type { Condition } from '../condition.ts';
import type { DoctorView } from './doctor-view.ts';

export const PROVIDER_UNREACHABLE: Condition<DoctorView> = {
  id: 'provider',
  level: 'bad',
  sentence: 'The provider $ cannot be reached',
  remedy: 'Check whether a firewall blocks it.',
  async read({ reach, alerts: { provider, isOffered } }) {
    if (provider.kind === 'local' && isOffered)
      return 'Price alerts go to the local outbox, which delivers no messages.';
    if (provider.kind === 'local')
      return 'Price alerts are off. To offer them, set ALERT_PROVIDER to meta or twilio.';
    try {
      await reach(provider.baseUrl);
      return `The provider ${provider.kind} can be reached. Its keys are tested by the first message.`;
    } catch (error) {
      return { subject: `${provider.kind} at ${provider.baseUrl}`, detail: errorMessage(error) };
    }
  },
};

export const PROVIDER_PLAIN: Condition<DoctorView> = {
  id: 'provider url',
  level: 'bad',
  sentence: '$ is not an https URL: phone numbers would be sent unencrypted, or are refused',
  remedy: 'Set it to the https URL.',
  read({ config: { mode }, alerts: { provider } }) {
    if (provider.kind === 'local') return false;
    const urls = [
      ...(mode === 'production' ? [provider.baseUrl] : []),
      ...('publicUrl' in provider ? [provider.publicUrl] : []),
    ];
    return urls.filter((url) => !url.startsWith('https:')).map((subject) => ({ subject }));
  },
};

export const NO_QUIET_HOURS: Condition<DoctorView> = {
  id: 'quiet hours',
  level: 'warn',
  sentence: 'ALERT_QUIET_HOURS is none: messages are sent at night too',
  remedy: 'Unset it for 21:00-08:00.',
  read: ({ alerts: { provider, quietHours } }) => provider.kind !== 'local' && quietHours === null && {},
};

export const MAIL_SERVER_UNUSABLE: Condition<DoctorView> = {
  id: 'mail',
  level: 'bad',
  sentence: 'The mail server $ refuses the login',
  remedy: 'Check SMTP_URL with its user and password, and whether a firewall blocks the server.',
  async read({ logInTo, alerts: { mailServer } }) {
    if (mailServer === null) return false;
    const { protocol, hostname, port } = new URL(mailServer.url);
    // The server's host and port, without user and password.
    const subject = `${hostname}:${port || (protocol === 'smtps:' ? '465' : '587')}`;
    const refusal = await logInTo(mailServer.url);
    if (refusal === null) return `The mail server ${subject} accepts the login of SMTP_URL.`;
    const isSilent = refusal === 'no connection';
    return isSilent
      ? { subject, sentence: 'The mail server $ cannot be reached' }
      : { subject, detail: refusal };
  },
};

export const PUSH_UNUSABLE: Condition<DoctorView> = {
  id: 'push',
  level: 'warn',
  sentence: 'Web push is off: servers that share a store need the same VAPID_KEY',
  remedy: 'Set VAPID_KEY on all of them to what {alerts vapid-key} prints.',
  read({ config: { mode, store }, alerts: { webPush, siteUrl } }) {
    if (webPush === null) return false;
    if (webPush.key === null && store.kind !== 'embedded') return {};
    if (mode === 'production' && siteUrl?.startsWith('https:') !== true) {
      const remedy = 'Set PUBLIC_URL to the https URL of this site';
      return { sentence: 'Browsers allow web push on https sites only', remedy };
    }
    try {
      if (webPush.key !== null) readVapidKeys(webPush.key, { kind: 'embedded', dataDir: '' });
      return 'Web push has its key.';
    } catch {
      return {
        level: 'bad',
        sentence: 'VAPID_KEY is not a P-256 key',
        remedy: 'Make one with {alerts vapid-key}',
      };
    }
  },
};
