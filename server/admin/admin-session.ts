import { createHmac, randomBytes } from 'node:crypto';
import { constantTimeEqual } from '../lib/constant-time-equal.ts';

const MINUTE_MS = 60_000;

/** A session ends after half an hour without a request, and in any case after eight hours. */
const IDLE_MS = 30 * MINUTE_MS;
const MAX_MS = 8 * 60 * MINUTE_MS;

const COOKIE = 'skylark_admin';

export interface AdminSession {
  id: string;
  startedAt: number;
}

/** Keeps sessions in signed cookies. A new password or token key ends all sessions. */
export function adminSessions(
  tokenKey: Uint8Array,
  { path, isSecure }: { path: string; isSecure: boolean },
  now: () => number,
) {
  const sign = (text: string, passwordHash: string) =>
    createHmac('sha256', tokenKey).update(`skylark admin\n${passwordHash}\n${text}`).digest('base64url');

  function cookie(value: string, seconds: number): string {
    const flags = `Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
    return `${COOKIE}=${value}; ${flags}${isSecure ? '; Secure' : ''}`;
  }

  return {
    start: (): AdminSession => ({ id: randomBytes(16).toString('base64url'), startedAt: now() }),
    /** The session in a request's cookies; null if they contain none, or if it has ended. */
    read(cookies: string | undefined, passwordHash: string): AdminSession | null {
      const value = new RegExp(`(?:^|; )${COOKIE}=([^;]+)`).exec(cookies ?? '')?.[1] ?? '';
      const [id = '', started = '', renewed = '', signature = ''] = value.split('.');
      if (!constantTimeEqual(signature, sign(`${id}.${started}.${renewed}`, passwordHash))) return null;
      const isOver = now() - Number(renewed) > IDLE_MS || now() - Number(started) > MAX_MS;
      return isOver ? null : { id, startedAt: Number(started) };
    },
    /** The cookie that continues a session. */
    cookie({ id, startedAt }: AdminSession, passwordHash: string): string {
      const text = `${id}.${startedAt}.${now()}`;
      return cookie(`${text}.${sign(text, passwordHash)}`, IDLE_MS / 1_000);
    },
    /** Removes the cookie. */
    endedCookie: cookie('', 0),
    /** A token that only the session's own pages contain, so that no other site can send their forms. */
    formToken: ({ id }: AdminSession, passwordHash: string) => sign(`form ${id}`, passwordHash),
  };
}
