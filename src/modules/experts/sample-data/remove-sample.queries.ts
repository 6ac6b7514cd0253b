import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type SampleExpertIds = { experts: readonly string[]; requests: readonly string[] }

/** Locks in id order to avoid deadlocks. Requests of users stay without their expert. */
export async function deleteSampleExperts(tx: TenantTx, { experts, requests }: SampleExpertIds): Promise<void> {
  await sql`select id from enablement.experts where id = any (${experts}::uuid[]) order by id for update`.execute(tx)
  await sql`select id from enablement.expert_requests where id = any (${requests}::uuid[]) order by id for update`.execute(
    tx,
  )
  await sql`delete from enablement.expert_requests where id = any (${requests}::uuid[]) returning id`.execute(tx)
  await sql`delete from enablement.experts where id = any (${experts}::uuid[]) returning id`.execute(tx)
}
