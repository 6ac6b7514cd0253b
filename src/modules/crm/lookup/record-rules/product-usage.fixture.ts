import type pg from 'pg'
import { newId } from '#platform/ids'
import type { PlainUsage } from './brute-force.fixture.ts'

type UsageOf = { tenantId: string; column: 'lead_id' | 'contact_id'; id: string }

/** Each use is of another person of the product that is linked to the record. */
export async function insertUsage(
  owner: Pick<pg.Pool, 'query'>,
  { tenantId, column, id }: UsageOf,
  usage: readonly PlainUsage[],
  instantOf: (days: number) => string,
): Promise<void> {
  for (const { name, day, events } of usage) {
    const actorId = newId()
    await owner.query(
      `insert into plg.actors (tenant_id, id, is_account, ref, ${column}, first_seen_at, last_seen_at)
       values ($1, $2, false, $4, $3::uuid, now(), now())`,
      [tenantId, actorId, id, actorId],
    )
    await owner.query(
      `insert into plg.actor_event_days (tenant_id, generation, actor_id, name, day, shard, is_account, events)
       values ($1, 1, $2, $3, $4, 0, false, $5)`,
      [tenantId, actorId, name, instantOf(day).slice(0, 10), events],
    )
  }
}
