import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type OutreachPerson = {
  id: string
  name: string | null
  email: string | null
  timezone: string | null
  may_be_called: boolean
}

/** Returns what decides when and how leads and contacts are contacted. Deleted records are left out. */
export async function listOutreachPersons(
  tx: TenantTx,
  { leadIds, contactIds }: { leadIds: readonly string[]; contactIds: readonly string[] },
): Promise<Map<string, OutreachPerson>> {
  const columns = sql`id, name, email, timezone, call_status <> 'do_not_call' as may_be_called`
  const { rows } = await sql<OutreachPerson>`
    select ${columns} from crm.leads where id = any (${leadIds}::uuid[]) and deleted_at is null
    union all
    select ${columns} from crm.contacts where id = any (${contactIds}::uuid[]) and deleted_at is null
  `.execute(tx)
  return new Map(rows.map((person) => [person.id, person]))
}
