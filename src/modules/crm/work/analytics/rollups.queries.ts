import { type RawBuilder, sql } from 'kysely'
import {
  listTenantsAsRetention,
  listTenantsWithRows,
  raiseStatementTimeout,
  type SystemTx,
  type TenantTx,
} from '#platform/db'
import { durationMetrics, rollupColumns, unassignedOwnerId } from './rollup-columns.rules.ts'

export const listTenantsWithDeltas = (tx: SystemTx): Promise<string[]> => listTenantsWithRows(tx, 'crm.lead_deltas')

export const listTenantsWithCounts = (system: SystemTx): Promise<string[]> =>
  listTenantsAsRetention(
    system,
    (tx) => listTenantsWithRows(tx, 'crm.leads', sql`deleted_at is null`),
    (tx) => listTenantsWithRows(tx, 'crm.lead_rollups'),
  )

/** Days with leads, rollups or deltas. */
export async function listCountedDays(tx: TenantTx): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct created_on as day from crm.leads where deleted_at is null
    union select day from crm.lead_rollups where cut = 'all'
    union select day from crm.lead_deltas order by day
  `.execute(tx)
  return rows.map(({ day }) => day)
}

/** Serializes changes of the rollups of a workspace and raises the statement timeout. */
export async function lockRollups(tx: TenantTx): Promise<void> {
  await raiseStatementTimeout(tx, 60)
  await sql`
    select pg_advisory_xact_lock(hashtextextended('crm.lead_rollups ' || platform.current_tenant_id(), 0))
  `.execute(tx)
}

const histogramColumns = durationMetrics.map((metric) => `${metric}_steps`)
const joinColumns = (
  columns: readonly string[],
  expressionOf: (column: RawBuilder<unknown>) => RawBuilder<unknown> = (column) => column,
) => sql.join(columns.map((column) => expressionOf(sql.ref(column))))
const allColumns = joinColumns([...rollupColumns, ...histogramColumns])
const rollupKey = sql`cut, owner_id, source, day`

const sumByCut = (rows: RawBuilder<unknown>) => sql`
  select (array['owner_source', 'owner', 'source', 'all'])[1 + grouping(owner_id, source)] as cut,
    coalesce(owner_id, ${sql.lit(unassignedOwnerId)}::uuid) as owner_id, coalesce(source, '') as source, day,
    ${joinColumns(rollupColumns, (column) => sql`sum(${column})::bigint as ${column}`)},
    ${joinColumns(histogramColumns, (column) => sql`crm.sum_steps(${column}) as ${column}`)}
  from (${rows}) as counts group by grouping sets ((day), (day, owner_id), (day, source), (day, owner_id, source))`

/** Moves up to `limit` deltas into the rollups. Returns how many, and the days whose rollups may be empty now. */
export async function foldDeltas(tx: TenantTx, limit: number): Promise<{ folded: number; days: string[] }> {
  const { rows } = await sql<{ folded: number; days: string[] }>`
    with removed as (
      delete from crm.lead_deltas where id = any (array(select id from crm.lead_deltas limit ${limit}))
      returning day, owner_id, source, ${allColumns}
    ),
    changed as (
      insert into crm.lead_rollups as rollup (${rollupKey}, ${allColumns})
      ${sumByCut(sql`select day, owner_id, source, ${allColumns} from removed`)}
      on conflict on constraint lead_rollups_pkey do update set
        ${joinColumns(rollupColumns, (column) => sql`${column} = rollup.${column} + excluded.${column}`)},
        ${joinColumns(
          histogramColumns,
          (column) => sql`${column} = case when excluded.${column} is null then rollup.${column}
            else crm.nonzero_steps(crm.add_steps(coalesce(rollup.${column}, '{}'), excluded.${column})) end`,
        )}
      returning day, leads
    )
    select (select count(*) from removed)::integer as folded, array(select distinct day from changed where leads = 0)::text[] as days
  `.execute(tx)
  return rows[0]!
}

export async function hasMoreLeads(tx: TenantTx, than: number): Promise<boolean> {
  const { rows } = await sql<{ leads: number }>`
    select count(*)::integer as leads from (select from crm.leads where deleted_at is null limit ${than + 1}) as lead
  `.execute(tx)
  return rows[0]!.leads > than
}

export async function deleteRollups(tx: TenantTx): Promise<void> {
  await tx.deleteFrom('crm.lead_rollups').execute()
}

const storedRollups = (days: readonly string[]) =>
  sql`select ${rollupKey}, ${allColumns} from crm.lead_rollups where day = any (${days}::date[])`

/** The rollups that the leads of these days without the deltas amount to. */
const expectedRollups = (days: readonly string[]) =>
  sumByCut(sql`
    select day, owner_id, source, ${allColumns} from crm.count_leads(${days}::date[]) as counts
    union all
    select day, owner_id, source, ${joinColumns(rollupColumns, (column) => sql`-${column}`)},
      ${joinColumns(histogramColumns, (column) => sql`crm.negate_steps(${column})`)}
    from crm.lead_deltas where day = any (${days}::date[])`)

const isDifferent = sql`
  (${joinColumns(rollupColumns, (column) => sql`coalesce(expected.${column}, 0)`)})
    <> (${joinColumns(rollupColumns, (column) => sql`coalesce(stored.${column}, 0)`)})
  or (${joinColumns(histogramColumns, (column) => sql`expected.${column}`)})
    is distinct from (${joinColumns(histogramColumns, (column) => sql`stored.${column}`)})`

/** One statement, so all come from the same snapshot. */
export async function listDriftedDays(tx: TenantTx, days: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    with expected as (${expectedRollups(days)}), stored as (${storedRollups(days)})
    select distinct day from expected full join stored using (${rollupKey}) where ${isDifferent} order by day
  `.execute(tx)
  return rows.map(({ day }) => day)
}

/** Replaces rollups that differ from the leads without the deltas. One statement, so all come from the same snapshot. */
export async function correctRollups(tx: TenantTx, days: readonly string[]): Promise<number> {
  const { rows } = await sql<{ corrected: number }>`
    with expected as (${expectedRollups(days)}),
    stored as (${storedRollups(days)}),
    corrected as (
      insert into crm.lead_rollups (${rollupKey}, ${allColumns})
      select ${rollupKey}, ${joinColumns(rollupColumns, (column) => sql`coalesce(expected.${column}, 0)`)},
        ${joinColumns(histogramColumns, (column) => sql`expected.${column}`)}
      from expected full join stored using (${rollupKey}) where ${isDifferent}
      on conflict on constraint lead_rollups_pkey do update set
        ${joinColumns([...rollupColumns, ...histogramColumns], (column) => sql`${column} = excluded.${column}`)}
      returning day
    )
    select count(*)::integer as corrected from corrected
  `.execute(tx)
  return rows[0]!.corrected
}

export async function deleteEmptyRollups(tx: TenantTx, days: readonly string[]): Promise<void> {
  await sql`
    delete from crm.lead_rollups where day = any (${days}::date[]) and num_nonnulls(${joinColumns(histogramColumns)}) = 0
      and (${joinColumns(rollupColumns)}) = (${joinColumns(rollupColumns, () => sql`0`)})
  `.execute(tx)
}
