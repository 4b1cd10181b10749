import { createHmac, randomBytes } from 'node:crypto';
import { constantTimeEqual } from '../lib/constant-time-equal.ts';

const MINUTE_MS = 60_000;

/** A session ends after half an hour without a request, and in any case after eight hours. */
const IDLE_MS = 30 * MINUTE_MS;
const MAX_MS = 8 * 60 * MINUTE_MS;

/** The longest that browsers keep a cookie. */
const DEVICE_SECONDS = 400 * 24 * 3_600;

const COOKIE = 'skylark_admin';
const DEVICE_COOKIE = 'skylark_admin_device';

export interface AdminSession {
  id: string;
  startedAt: number;
}

/**
 * Keeps sessions, and the devices that have signed in, in signed cookies: every server can check them, and none stores
 * them. A new password or token key ends all sessions; signing out ends no copy of the cookie. `isSecure`: the browser
 * sends the cookie over https only, and Safari keeps none of http://localhost.
 */
export function adminSessions(tokenKey: Uint8Array, path: string, now: () => number) {
  const sign = (text: string, passwordHash: string) =>
    createHmac('sha256', tokenKey).update(`skylark admin\n${passwordHash}\n${text}`).digest('base64url');

  function cookie(name: string, value: string, seconds: number, isSecure: boolean): string {
    const flags = `Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
    return `${name}=${value}; ${flags}${isSecure ? '; Secure' : ''}`;
  }

  const cookieValue = (name: string, cookies: string | undefined) =>
    new RegExp(`(?:^|; )${name}=([^;]+)`).exec(cookies ?? '')?.[1] ?? '';

  return {
    start: (): AdminSession => ({ id: randomBytes(16).toString('base64url'), startedAt: now() }),
    /** The session in a request's cookies; null if they contain none, or if it has ended. */
    read(cookies: string | undefined, passwordHash: string): AdminSession | null {
      const [id = '', started = '', renewed = '', signature = ''] = cookieValue(COOKIE, cookies).split('.');
      if (!constantTimeEqual(signature, sign(`${id}.${started}.${renewed}`, passwordHash))) return null;
      const isOver = now() - Number(renewed) > IDLE_MS || now() - Number(started) > MAX_MS;
      return isOver ? null : { id, startedAt: Number(started) };
    },
    /** The cookie that continues a session. */
    cookie({ id, startedAt }: AdminSession, passwordHash: string, isSecure: boolean): string {
      const text = `${id}.${startedAt}.${now()}`;
      return cookie(COOKIE, `${text}.${sign(text, passwordHash)}`, IDLE_MS / 1_000, isSecure);
    },
    /** Removes the cookie. */
    endedCookie: (isSecure: boolean) => cookie(COOKIE, '', 0, isSecure),
    /** The id of a device that has signed in before; null for others. */
    deviceOf(cookies: string | undefined): string | null {
      const [id = '', signature = ''] = cookieValue(DEVICE_COOKIE, cookies).split('.');
      return constantTimeEqual(signature, sign(`device ${id}`, '')) ? id : null;
    },
    /** Recognises a device, also after the password has changed. */
    deviceCookie(known: string | null, isSecure: boolean): string {
      const id = known ?? randomBytes(16).toString('base64url');
      return cookie(DEVICE_COOKIE, `${id}.${sign(`device ${id}`, '')}`, DEVICE_SECONDS, isSecure);
    },
    /** A token that only the session's own pages contain, so that no other site can send their forms. */
    formToken: ({ id }: AdminSession, passwordHash: string) => sign(`form ${id}`, passwordHash),
  };
}
