import { writeNote } from '../../storage/notes.ts';
import { alertKeys, keyFingerprintOf } from '../keys/alert-keys.ts';
import { HASHED_COLUMNS } from '../keys/hashed-columns.ts';
import { bytesOf, KEY_NOTE, wrapped } from '../keys/key-ring.ts';
import type { AlertStore } from './alert-store.ts';
import { finishErasures, markForOverwriting } from './erasure.ts';

/**
 * Replaces the secret of a store in one transaction: hashes the stored hashes again and encrypts the addresses
 * again. Returns how many records changed. Processes that have the old secret must restart with the new one.
 */
export async function rotateKeys(
  store: AlertStore,
  secret: Uint8Array,
  next: Uint8Array,
  now: number,
): Promise<number> {
  const [own, keys] = [alertKeys(secret), alertKeys(next)];
  const moved = await store.transact(async (tx) => {
    const { session, sql } = tx;
    const last = await sql.get`select generation, older from alert_key order by generation desc limit 1`;
    const generation = Number(last?.generation ?? 1) + 1;
    const earlier = last === undefined ? [] : [own.open(bytesOf(last.older))];
    const older = [...earlier, Buffer.from(secret).toString('base64')].join(' ');
    let changes = 0;
    for (const [table, column] of HASHED_COLUMNS) {
      const update = session.prepare(`update ${table} set ${column} = ? where ${column} = ?`);
      const hashes = session.prepare(`select distinct ${column} from ${table} where ${column} is not null`);
      for (const [hash] of await hashes.rows())
        changes += (await update.run(wrapped(keys, generation, String(hash)), String(hash))).changes;
    }
    for (const { id, contact_sealed } of await sql.all`select id, contact_sealed from alert_contact`)
      changes += (
        await sql.run`update alert_contact set contact_sealed = ${keys.seal(own.open(bytesOf(contact_sealed)))}
        where id = ${Number(id)}`
      ).changes;
    await sql.run`delete from alert_key`;
    await sql.run`insert into alert_key (generation, sealed, older, fingerprint, created_at, finished_at)
      values (${generation}, ${new Uint8Array()}, ${keys.seal(older)}, ${keyFingerprintOf(keys)}, ${now}, ${now})`;
    await writeNote(tx, KEY_NOTE, keyFingerprintOf(keys));
    await markForOverwriting(tx);
    return changes;
  });
  await finishErasures(store);
  return moved;
}
