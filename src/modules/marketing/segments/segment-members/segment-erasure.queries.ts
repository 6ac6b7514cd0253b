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

type SegmentTexts = { id: string; name: string; description: string | null; rules: unknown; problems: unknown }

export async function lockSegmentTexts(tx: TenantTx, ids: readonly string[]): Promise<SegmentTexts[]> {
  return await tx
    .selectFrom('marketing.segments')
    .select(['id', 'name', 'description', 'rules', 'problems'])
    .where('id', '=', isAny(ids))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export async function updateSegmentTexts(
  tx: TenantTx,
  { id, rules, problems, ...texts }: SegmentTexts & { search_text: string },
): Promise<void> {
  const json = { rules: rules === null ? null : JSON.stringify(rules), problems: JSON.stringify(problems) }
  await tx
    .updateTable('marketing.segments')
    .set({ ...texts, ...json })
    .where('id', '=', id)
    .execute()
}
