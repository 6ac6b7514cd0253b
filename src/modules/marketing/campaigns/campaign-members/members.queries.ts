import { type Selectable, sql } from 'kysely'
import { type Database, selectRows, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'

type Members = Database['marketing.campaign_members']

export const memberColumns = [
  'id',
  'campaign_id',
  'lead_id',
  'contact_id',
  'status',
  'responded',
  'first_touched_at',
  'responded_at',
  'added_by',
  'added_via',
  'note',
  'created_at',
  'updated_at',
  'version',
] as const
export type MemberRow = Pick<Selectable<Members>, (typeof memberColumns)[number]>

export type MemberRef = Pick<MemberRow, 'id' | 'campaign_id' | 'lead_id' | 'contact_id'>

/** Members of deleted persons are not found. */
export async function getMember(tx: TenantTx, campaignId: string, id: string): Promise<MemberRow> {
  return await tx
    .selectFrom('marketing.campaign_members')
    .select(memberColumns)
    .where('id', '=', id)
    .where('campaign_id', '=', campaignId)
    .where('is_hidden', '=', sql.lit(false))
    .executeTakeFirstOrThrow(() => notFound('member'))
}

export function listMembersById(tx: TenantTx, campaignId: string, ids: readonly string[]): Promise<MemberRow[]> {
  return tx
    .selectFrom('marketing.campaign_members')
    .select(memberColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('campaign_id', '=', campaignId)
    .where('is_hidden', '=', sql.lit(false))
    .execute()
}

/** Ordered by id to avoid deadlocks. */
export function lockMembers(tx: TenantTx, ids: readonly string[]): Promise<MemberRow[]> {
  return tx
    .selectFrom('marketing.campaign_members')
    .select(memberColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

type PersonIdLists = { leadIds: readonly string[]; contactIds: readonly string[] }

export function listMembersOfPersons(
  tx: TenantTx,
  campaignId: string,
  { leadIds, contactIds }: PersonIdLists,
): Promise<MemberRef[]> {
  return tx
    .selectFrom('marketing.campaign_members')
    .select(['id', 'campaign_id', 'lead_id', 'contact_id'])
    .where('campaign_id', '=', campaignId)
    .where(sql<boolean>`(lead_id = any (${leadIds}::uuid[]) or contact_id = any (${contactIds}::uuid[]))`)
    .execute()
}

export async function filterLeadsInCampaigns(tx: TenantTx, leadIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('marketing.campaign_members')
    .select('lead_id')
    .distinct()
    .where('lead_id', '=', sql<string>`any(${leadIds}::uuid[])`)
    .execute()
  return new Set(rows.map(({ lead_id }) => lead_id!))
}

export type NewMember = Pick<
  Selectable<Members>,
  | 'id'
  | 'campaign_id'
  | 'lead_id'
  | 'contact_id'
  | 'status'
  | 'first_touched_at'
  | 'responded_at'
  | 'added_by'
  | 'added_via'
  | 'lead_created_at'
  | 'is_new_lead'
  | 'is_mql'
  | 'is_sql'
  | 'is_converted'
>

/** Skips persons who have become members in the meantime. */
export function insertMembers(tx: TenantTx, members: readonly NewMember[]): Promise<MemberRow[]> {
  const { columns, rows } = selectRows(members, {
    id: 'uuid',
    campaign_id: 'uuid',
    lead_id: 'uuid',
    contact_id: 'uuid',
    status: 'text',
    added_by: 'uuid',
    first_touched_at: 'timestamptz',
    responded_at: 'timestamptz',
    added_via: 'text',
    lead_created_at: 'timestamptz',
    is_new_lead: 'boolean',
    is_mql: 'boolean',
    is_sql: 'boolean',
    is_converted: 'boolean',
  } as const)
  return tx
    .insertInto('marketing.campaign_members')
    .columns(columns)
    .expression(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(memberColumns)
    .execute()
}

/** For locked members. `respondedIds` are those whose first response this is. */
export function updateMemberStatuses(
  tx: TenantTx,
  ids: readonly string[],
  { status, respondedIds, now }: { status: string; respondedIds: readonly string[]; now: Date },
): Promise<MemberRow[]> {
  return tx
    .updateTable('marketing.campaign_members')
    .set({
      status,
      responded_at: sql<Date | null>`case when id = any (${respondedIds}::uuid[]) then ${now}::timestamptz else responded_at end`,
    })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning(memberColumns)
    .execute()
}

export function updateMemberNote(tx: TenantTx, id: string, note: string | null): Promise<MemberRow> {
  return tx
    .updateTable('marketing.campaign_members')
    .set({ note })
    .where('id', '=', id)
    .returning(memberColumns)
    .executeTakeFirstOrThrow()
}

export async function deleteMemberRows(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('marketing.campaign_members').where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()
}

/** Marks the earliest membership of each lead, if the lead was created at most seven days before. */
export async function refreshNewLeads(tx: TenantTx, leadIds: readonly string[]): Promise<void> {
  if (!leadIds.length) return
  await sql`
    with ranked as (
      select id, row_number() over (partition by lead_id order by first_touched_at, id) = 1
        and lead_created_at >= first_touched_at - interval '7 days' as is_new
      from marketing.campaign_members where lead_id = any (${leadIds}::uuid[])
    ), changed as (
      select member.id, ranked.is_new from marketing.campaign_members member join ranked on ranked.id = member.id
      where member.is_new_lead is distinct from coalesce(ranked.is_new, false) order by member.id for no key update of member
    )
    update marketing.campaign_members member set is_new_lead = coalesce(changed.is_new, false) from changed where member.id = changed.id
  `.execute(tx)
}

export async function deleteMembersWithoutPerson(tx: TenantTx, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from marketing.campaign_members where (tenant_id, id) in (
      select tenant_id, id from marketing.campaign_members where lead_id is null and contact_id is null
      order by id limit ${limit} for update)
  `.execute(tx)
  return Number(numAffectedRows)
}
