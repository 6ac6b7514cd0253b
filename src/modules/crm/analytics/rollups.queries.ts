import { sql } from 'kysely'
import type { SystemTx, TenantTx } from '#platform/db'
import { columns, countLeads, countTimes } from './tallies.queries.ts'
import { nobody, tallies, timedThings } from './tallies.rules.ts'

/** The workspaces in which something has to be counted anew. Goes from one to the next, however many marks each has. */
export async function listMarkedTenants(tx: SystemTx): Promise<string[]> {
  const { rows } = await sql<{ tenant_id: string }>`
    with recursive marked as (
      (select tenant_id from crm.lead_rollup_dirty order by tenant_id limit 1)
      union all
      select (select tenant_id from crm.lead_rollup_dirty where tenant_id > marked.tenant_id order by tenant_id limit 1)
      from marked where marked.tenant_id is not null
    )
    select tenant_id from marked where tenant_id is not null
  `.execute(tx)
  return rows.map(({ tenant_id }) => tenant_id)
}

export async function listMarkedDays(tx: TenantTx): Promise<string[]> {
  const days = await tx.selectFrom('crm.lead_rollup_dirty').select('day').distinct().orderBy('day').execute()
  return days.map(({ day }) => day)
}

/** One at a time in a workspace, so that no older count ever replaces a newer one. It may take its time. */
export async function holdRollups(tx: TenantTx): Promise<void> {
  await sql`
    select set_config('statement_timeout', '60s', true),
      pg_advisory_xact_lock(hashtextextended('crm.lead_rollups ' || platform.current_tenant_id(), 0))
  `.execute(tx)
}

/** Removes the marks that can be seen now. A change that commits later leaves its own. */
export async function clearMarks(tx: TenantTx, days: readonly string[]): Promise<void> {
  await sql`delete from crm.lead_rollup_dirty where day = any (${days}::date[])`.execute(tx)
}

export async function removeRollups(tx: TenantTx, days: readonly string[]): Promise<void> {
  await sql`delete from crm.lead_rollups where day = any (${days}::date[])`.execute(tx)
}

/** Counts some days from the leads themselves, in all four ways at once. */
export async function countDays(tx: TenantTx, days: readonly string[]): Promise<void> {
  const ofDays = sql<boolean>`created_on = any (${days}::date[])`
  const sums = sql.join(tallies.map((tally) => sql`coalesce(sum(${sql.ref(tally)}), 0)`))
  const steps = sql.join(
    timedThings.map((thing) => sql`nullif(crm.count_steps(step, n) filter (where thing = ${sql.lit(thing)}), '{}')`),
  )
  const names = sql.join([...tallies, ...timedThings.map((thing) => `${thing}_steps`)].map((name) => sql.ref(name)))
  await sql`
    with counted as (
      select day, owner_id, source, ${sql.join(tallies.map((tally) => sql.ref(tally)))},
        null::text as thing, null::integer as step, null::integer as n
      from (${countLeads(ofDays)}) as leads
      union all
      select day, owner_id, source, ${columns({})}, thing, step, n from (${countTimes(ofDays)}) as times
    )
    insert into crm.lead_rollups (cut, owner_id, source, day, ${names})
    select (array['owner_source', 'owner', 'source', 'all'])[1 + grouping(owner_id, source)],
      coalesce(owner_id, ${sql.lit(nobody)}::uuid), coalesce(source, ''), day, ${sums}, ${steps}
    from counted group by grouping sets ((day), (day, owner_id), (day, source), (day, owner_id, source))
  `.execute(tx)
}
