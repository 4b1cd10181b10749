import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** The note with the password's hash. Without it, /admin does not exist. */
export const ADMIN_PASSWORD_NOTE = 'admin.password';

export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 200;

const HASH_BYTES = 32;

/** Each hash takes 32 MB and about 0.1 s of processor time. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

/** Returns `scrypt`, the salt in hex and the hash in hex, separated by spaces. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, HASH_BYTES, COST);
  return `scrypt ${salt.toString('hex')} ${hash.toString('hex')}`;
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, salt = '', hash = ''] = stored.split(' ');
  if (password.length > MAX_PASSWORD) return false;
  const given = await derive(password, Buffer.from(salt, 'hex'), HASH_BYTES, COST);
  return timingSafeEqual(given, Buffer.from(hash, 'hex'));
}
