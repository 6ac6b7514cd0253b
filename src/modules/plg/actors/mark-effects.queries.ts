import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Open qualifications of actors whose links changed, and of the accounts of such people, must be applied to the new records. */
export async function markEffectsDue(tx: TenantTx, actorIds: readonly string[]): Promise<void> {
  await sql`
    update plg.qualifications set effects_due = true
    where id = any (array(
      select id from plg.qualifications
      where actor_id = any (array(
          select unnest(${actorIds}::uuid[])
          union select account_actor_id from plg.actors where id = any (${actorIds}::uuid[]) and account_actor_id is not null))
        and lost_at is null and not effects_due
      order by id for no key update))
  `.execute(tx)
}
