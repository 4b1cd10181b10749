import * as v from 'valibot';
import type { AlertStore } from '../tables/alert-store.ts';
import { nextLogicalTime } from '../tables/logical-clock.ts';

/**
 * What advancing a watch's watermarks changed. A watermark (`alert_told`) is the logical time of the last
 * alert about a package: a drop is measured from later prices only, so each alert needs a deeper drop.
 */
const advance = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    moment: v.number(),
    packages: v.array(v.object({ itemKey: v.string(), before: v.nullable(v.number()) })),
  }),
);

/** Advances the watermarks of an alert's packages. Returns the change, to revert or reapply it. */
export function advanceWatermarks({ sql }: AlertStore, watch: number, itemKeys: readonly string[]): string {
  const moment = nextLogicalTime(sql);
  const packages = itemKeys.map((itemKey) => {
    const before =
      sql.get`select moment from alert_told where watch = ${watch} and item_key = ${itemKey}`?.moment ?? null;
    sql.run`insert into alert_told (watch, item_key, moment) values (${watch}, ${itemKey}, ${moment})
      on conflict (watch, item_key) do update set moment = excluded.moment`;
    return { itemKey, before };
  });
  return JSON.stringify({ moment, packages });
}

/** Restores the watermarks of an unsent alert, except those that a later alert has advanced. */
export function revertWatermarks({ sql }: AlertStore, watch: number, told: string): void {
  const { moment, packages } = v.parse(advance, told);
  for (const { itemKey, before } of packages) {
    if (before === null) {
      sql.run`delete from alert_told where watch = ${watch} and item_key = ${itemKey} and moment = ${moment}`;
    } else {
      sql.run`update alert_told set moment = ${before}
        where watch = ${watch} and item_key = ${itemKey} and moment = ${moment}`;
    }
  }
}

/** Advances the watermarks again for an alert that arrived, unless a later alert has advanced them. */
export function reapplyWatermarks({ sql }: AlertStore, watch: number, told: string): void {
  const { moment, packages } = v.parse(advance, told);
  for (const { itemKey } of packages) {
    sql.run`insert into alert_told (watch, item_key, moment) values (${watch}, ${itemKey}, ${moment})
      on conflict (watch, item_key) do update set moment = excluded.moment
      where alert_told.moment < excluded.moment`;
  }
}
