import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type Person = { lead_ids: readonly string[]; contact_ids: readonly string[] }

const isAny = (ids: readonly string[]) => sql<string>`any(${ids}::uuid[])`

export async function deleteMembersOfPerson(tx: TenantTx, { lead_ids, contact_ids }: Person): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('marketing.segment_members')
    .where((eb) => eb.or([eb('lead_id', '=', isAny(lead_ids)), eb('contact_id', '=', isAny(contact_ids))]))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export async function deleteFlowRecordsOfPerson(tx: TenantTx, { lead_ids, contact_ids }: Person): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('marketing.segment_flow_records')
    .where((eb) => eb.or([eb('lead_id', '=', isAny(lead_ids)), eb('contact_id', '=', isAny(contact_ids))]))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
