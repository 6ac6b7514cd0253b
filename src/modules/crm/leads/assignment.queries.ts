import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'

/** Whose turn it is cannot change until the transaction ends: those who give out leads follow one another. */
export async function lockTurns(tx: TenantTx, userIds: readonly string[]): Promise<void> {
  const held = await holdTurns(tx, userIds)
  if (held.length === userIds.length) return
  await sql`
    insert into crm.assignment_state (user_id) select id from unnest(${userIds}::uuid[]) as id order by id on conflict do nothing
  `.execute(tx)
  await holdTurns(tx, userIds)
}

const holdTurns = (tx: TenantTx, userIds: readonly string[]) =>
  tx
    .selectFrom('crm.assignment_state')
    .select('user_id')
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .orderBy('user_id')
    .forUpdate()
    .execute()

type Turn = { user_id: string }

/** Whoever got the fewest leads since an instant; of several, whoever waited longest. */
export async function leastAssigned(
  tx: TenantTx,
  userIds: readonly string[],
  since: Date,
): Promise<string | undefined> {
  const { rows } = await sql<Turn>`
    select turn.user_id from crm.assignment_state turn
    cross join lateral (
      select count(*) as leads from crm.lead_assignments given where given.user_id = turn.user_id and given.at > ${since}
    ) as got
    where turn.user_id = any (${userIds}::uuid[])
    order by got.leads, turn.last_assigned_at nulls first, turn.user_id limit 1
  `.execute(tx)
  return rows[0]?.user_id
}

/** Converted and unqualified leads have the last two tiers; all others are open. */
const firstClosedRank = 6_000

/** Whoever has the fewest open leads; of several, whoever waited longest. */
export async function leastOpen(tx: TenantTx, userIds: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<Turn>`
    select turn.user_id from crm.assignment_state turn
    cross join lateral (
      select count(*) as leads from crm.leads lead
      where lead.owner_id = turn.user_id and lead.priority_rank < ${sql.lit(firstClosedRank)}::smallint and lead.deleted_at is null
    ) as has
    where turn.user_id = any (${userIds}::uuid[])
    order by has.leads, turn.last_assigned_at nulls first, turn.user_id limit 1
  `.execute(tx)
  return rows[0]?.user_id
}

/** Remembers who was given which lead, for whose turn it is next. */
export async function noteAssignment(tx: TenantTx, leadId: string, userId: string, at: Date): Promise<void> {
  await tx.insertInto('crm.lead_assignments').values({ id: newId(), lead_id: leadId, user_id: userId, at }).execute()
  await tx
    .insertInto('crm.assignment_state')
    .values({ user_id: userId, last_assigned_at: at })
    .onConflict((turn) => turn.constraint('assignment_state_pkey').doUpdateSet({ last_assigned_at: at }))
    .execute()
}
