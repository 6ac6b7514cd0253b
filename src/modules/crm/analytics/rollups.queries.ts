import { sql } from 'kysely'
import { raiseStatementTimeout, type SystemTx, type TenantTx } from '#platform/db'
import { durationCounts, leadCounts, selectRollupColumns } from './live-counts.queries.ts'
import { durationMetrics, rollupColumns, unassignedOwnerId } from './rollup-columns.rules.ts'

/** Lists workspaces with dirty days, one index lookup per workspace however many rows it has. */
export async function listTenantsWithDirtyDays(tx: SystemTx): Promise<string[]> {
  const { rows } = await sql<{ tenant_id: string }>`
    with recursive dirty as (
      (select tenant_id from crm.lead_rollup_dirty order by tenant_id limit 1)
      union all
      select (select tenant_id from crm.lead_rollup_dirty where tenant_id > dirty.tenant_id order by tenant_id limit 1)
      from dirty where dirty.tenant_id is not null
    )
    select tenant_id from dirty where tenant_id is not null
  `.execute(tx)
  return rows.map(({ tenant_id }) => tenant_id)
}

export async function listDirtyDays(tx: TenantTx): Promise<string[]> {
  const days = await tx.selectFrom('crm.lead_rollup_dirty').select('day').distinct().orderBy('day').execute()
  return days.map(({ day }) => day)
}

/** Serializes rebuilds of a workspace, so that an older count never replaces a newer one, and raises the statement timeout. */
export async function lockRollups(tx: TenantTx): Promise<void> {
  await raiseStatementTimeout(tx, 60)
  await sql`
    select pg_advisory_xact_lock(hashtextextended('crm.lead_rollups ' || platform.current_tenant_id(), 0))
  `.execute(tx)
}

export async function deleteDirtyDayRows(tx: TenantTx, days: readonly string[]): Promise<void> {
  await sql`delete from crm.lead_rollup_dirty where day = any (${days}::date[])`.execute(tx)
}

export async function deleteRollupRows(tx: TenantTx, days: readonly string[]): Promise<void> {
  await sql`delete from crm.lead_rollups where day = any (${days}::date[])`.execute(tx)
}

export async function insertRollups(tx: TenantTx, days: readonly string[]): Promise<void> {
  const onDays = sql<boolean>`created_on = any (${days}::date[])`
  const sums = sql.join(rollupColumns.map((column) => sql`coalesce(sum(${sql.ref(column)}), 0)`))
  const histograms = sql.join(
    durationMetrics.map(
      (metric) => sql`nullif(crm.count_steps(bucket, n) filter (where metric = ${sql.lit(metric)}), '{}')`,
    ),
  )
  const columnNames = [...rollupColumns, ...durationMetrics.map((metric) => `${metric}_steps`)]
  await sql`
    with counts as (
      select day, owner_id, source, ${sql.join(rollupColumns.map((column) => sql.ref(column)))},
        null::text as metric, null::integer as bucket, null::integer as n
      from (${leadCounts(onDays)}) as leads
      union all
      select day, owner_id, source, ${selectRollupColumns({})}, metric, bucket, n from (${durationCounts(onDays)}) as durations
    )
    insert into crm.lead_rollups (cut, owner_id, source, day, ${sql.join(columnNames.map((name) => sql.ref(name)))})
    select (array['owner_source', 'owner', 'source', 'all'])[1 + grouping(owner_id, source)],
      coalesce(owner_id, ${sql.lit(unassignedOwnerId)}::uuid), coalesce(source, ''), day, ${sums}, ${histograms}
    from counts group by grouping sets ((day), (day, owner_id), (day, source), (day, owner_id, source))
  `.execute(tx)
}
