import { sql } from 'kysely'
import type { Influence } from '#modules/library'
import { listTenantsToRecount } from '#modules/library'
import { listTenantsAsRetention, type SystemTx, selectRows, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { ItemOutcomes } from './insights.rules.ts'

/** A change can be committed after a refresh that began later than its transaction, so the last minutes are read again. */
const overlap = sql`interval '2 minutes'`

export async function lockInsightState(tx: TenantTx): Promise<{ since: Date; window_days: number }> {
  await sql`insert into enablement.insight_states (refreshed_to, window_days) values ('epoch', 0)
    on conflict on constraint insight_states_pkey do nothing`.execute(tx)
  return await tx
    .selectFrom('enablement.insight_states')
    .select([sql<Date>`refreshed_to - ${overlap}`.as('since'), 'window_days'])
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function updateInsightState(tx: TenantTx, windowDays: number): Promise<void> {
  await tx
    .updateTable('enablement.insight_states')
    .set({ refreshed_to: sql<Date>`now()`, window_days: windowDays })
    .execute()
}

/** Whether influences were stored by a version that did not know the outcomes of their deals. */
export async function hasInfluencesWithoutOutcome(tx: TenantTx): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (select from enablement.insight_influences where is_won is null)
  `.execute(tx)
  return rows[0]!.exists
}

type ClosedInfluence = Influence & { closed_at: Date; is_won: boolean; amount_base_minor: number | null }

/** Replaces the influences of the deals, which are locked by the state of the workspace. */
export async function replaceInfluences(
  tx: TenantTx,
  dealIds: readonly string[],
  influences: readonly ClosedInfluence[],
): Promise<void> {
  await sql`delete from enablement.insight_influences where opportunity_id = any (${dealIds}::uuid[])`.execute(tx)
  if (!influences.length) return
  const { columns, rows } = selectRows(influences, {
    item_id: 'uuid',
    opportunity_id: 'uuid',
    closed_at: 'timestamptz',
    is_won: 'boolean',
    amount_base_minor: 'bigint',
    first_at: 'timestamptz',
    last_at: 'timestamptz',
    seconds: 'integer',
  })
  await tx.insertInto('enablement.insight_influences').columns(columns).expression(rows).execute()
}

export async function sumItemOutcomes(tx: TenantTx, since: Date, minDeals: number): Promise<ItemOutcomes[]> {
  const { rows } = await sql<ItemOutcomes>`
    select item_id, count(*) filter (where is_won)::integer as won, count(*)::integer as closed,
      coalesce(sum(amount_base_minor) filter (where is_won), 0)::float8 as won_amount_minor
    from enablement.insight_influences where closed_at >= ${since} and is_won is not null
    group by item_id having count(*) >= ${minDeals}
  `.execute(tx)
  return rows
}

export async function insertInsightMark(tx: TenantTx): Promise<void> {
  await tx.insertInto('enablement.insight_marks').values({ id: newId() }).execute()
}

export async function listInsightMarkIds(tx: TenantTx): Promise<string[]> {
  const marks = await tx.selectFrom('enablement.insight_marks').select('id').execute()
  return marks.map(({ id }) => id)
}

export async function deleteInsightMarks(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('enablement.insight_marks').where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()
}

/** Workspaces with marks, and with views since the last run. */
export async function listTenantsToRefresh(system: SystemTx, since: Date): Promise<string[]> {
  const marked = await listTenantsAsRetention(system, async (tx) => {
    const { rows } = await sql<{ tenant_id: string }>`
      select distinct tenant_id from enablement.insight_marks
    `.execute(tx)
    return rows.map(({ tenant_id }) => tenant_id)
  })
  return [...new Set([...marked, ...(await listTenantsToRecount(system, since))])]
}

export async function upsertSnapshot(tx: TenantTx, key: string, payload: object, asOf: Date): Promise<void> {
  const row = { payload: JSON.stringify(payload), as_of: asOf }
  await tx
    .insertInto('enablement.insight_snapshots')
    .values({ key, ...row })
    .onConflict((existing) => existing.constraint('insight_snapshots_pkey').doUpdateSet(row))
    .execute()
}

export const findSnapshot = (tx: TenantTx, key: string) =>
  tx.selectFrom('enablement.insight_snapshots').select(['payload', 'as_of']).where('key', '=', key).executeTakeFirst()
