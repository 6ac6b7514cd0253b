import { type SqlBool, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { responses } from './activity.rules.ts'
import type { ActivityParent } from './system-activities.queries.ts'

type Moment = { at: Date; isEngagement: boolean }

/** When something last happened with them. Accounts come ahead of contacts, as wherever both are locked. */
export async function touchAround(
  tx: TenantTx,
  { opportunity_id, account_id, contact_id }: ActivityParent,
  { at, isEngagement }: Moment,
): Promise<void> {
  const isLater = sql<SqlBool>`last_activity_at is null or last_activity_at < ${at}`
  if (opportunity_id)
    await sql`update crm.opportunities set last_activity_at = ${at} where id = ${opportunity_id} and (${isLater})`.execute(
      tx,
    )
  if (account_id)
    await sql`update crm.accounts set last_activity_at = ${at} where id = ${account_id} and (${isLater})`.execute(tx)
  if (contact_id)
    await sql`
      update crm.contacts set last_activity_at = greatest(last_activity_at, ${at}::timestamptz),
        last_engaged_at = case when ${isEngagement}::boolean then greatest(last_engaged_at, ${at}::timestamptz) else last_engaged_at end
      where id = ${contact_id}
    `.execute(tx)
}

/** Ahead of an entry that is about them, as wherever both are locked. */
export async function lockAround(
  tx: TenantTx,
  { opportunity_id, account_id, contact_id }: ActivityParent,
): Promise<void> {
  const lock = (table: string, id: string) =>
    sql`select from ${sql.table(table)} where id = ${id} for no key update`.execute(tx)
  if (opportunity_id) await lock('crm.opportunities', opportunity_id)
  if (account_id) await lock('crm.accounts', account_id)
  if (contact_id) await lock('crm.contacts', contact_id)
}

/** The same once more from what is left, after an entry has gone. */
export async function retraceAround(tx: TenantTx, parent: ActivityParent): Promise<void> {
  const { opportunity_id, account_id, contact_id } = parent
  const latest = (column: string, id: string) =>
    sql`(select max(occurred_at) from crm.activities where ${sql.ref(column)} = ${id}::uuid and actor_type <> 'system')`
  const retrace = (table: string, column: string, id: string) =>
    sql`update ${sql.table(table)} set last_activity_at = ${latest(column, id)} where id = ${id}`.execute(tx)
  if (opportunity_id) await retrace('crm.opportunities', 'opportunity_id', opportunity_id)
  if (account_id) await retrace('crm.accounts', 'account_id', account_id)
  if (contact_id) await retrace('crm.contacts', 'contact_id', contact_id)
}

/** What is left of a lead's history: when something last happened, and who answered first. */
export async function retraceLead(tx: TenantTx, leadId: string, countsAutomated: boolean) {
  const history = tx.selectFrom('crm.activities').where('lead_id', '=', leadId).where('actor_type', '<>', 'system')
  const latest = await history.select(({ fn }) => fn.max('occurred_at').as('at')).executeTakeFirst()
  const first = await history
    .select(['occurred_at', 'actor_user_id'])
    .where('type', 'in', responses)
    .where('direction', '=', 'out')
    .where('actor_type', 'in', countsAutomated ? ['user', 'automation'] : ['user'])
    .orderBy('occurred_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return { latest: latest?.at ?? null, first }
}

const liveDeal = (tx: TenantTx, id: string) =>
  tx
    .selectFrom('crm.opportunities')
    .select(['id', 'name', 'version', 'account_id'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)

export const findDeal = (tx: TenantTx, id: string) => liveDeal(tx, id).executeTakeFirst()

/** Nobody else changes the deal until the transaction ends. */
export const lockDeal = (tx: TenantTx, id: string) => liveDeal(tx, id).forNoKeyUpdate().executeTakeFirst()
