import { systemIn } from '#platform/access'
import { inSystem, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { rebuildDirtyDays } from './rollups.jobs.ts'

export type Acme = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

/** What only the product itself writes about a lead, by column. Times are seconds after its creation. */
type Columns = Record<string, unknown> & { created_on?: string }

/** The application, with leads that were there before and the work that comes round every minute. */
export async function startAnalyticsApp() {
  const test = await startTestApp()
  const { db, systemDb } = test

  /** Puts leads there as if they had been worked on for a while; the same `columns` for all of them. */
  async function addLeads(acme: Acme, count: number, columns: Columns = {}): Promise<string[]> {
    const day = columns.created_on ?? '2026-03-02'
    const values: Record<string, unknown> = {
      source: 'web',
      created_on: day,
      created_at: `${day}T09:00:00Z`,
      ...columns,
    }
    const names = Object.keys(values)
    const { rows } = await acme.sql(
      `insert into crm.leads (tenant_id, id, last_name, search_text, ${names.join(', ')})
       select $1, gen_random_uuid(), 'Lead ' || n, '', ${names.map((_, index) => `$${index + 3}`).join(', ')}
       from generate_series(1, $2::integer) n returning id`,
      [acme.id, count, ...Object.values(values)],
    )
    return rows.map(({ id }) => id)
  }

  /** A deal that was won with a lead. */
  async function winDeal(acme: Acme, leadId: string, amount: number): Promise<string> {
    const account_id = newId()
    await acme.sql(
      `insert into crm.accounts (tenant_id, id, name, name_key, search_text) values ($1, $2, 'I', 'i', ' i')`,
      [acme.id, account_id],
    )
    const asked = { name: 'Engines', account_id, close_on: '2026-03-31', stage_key: 'closed_won' }
    const amounts = { amount: { amount: String(amount), currency: 'EUR' } }
    const { status, body } = await acme.member.post('/api/opportunities/', { ...asked, ...amounts })
    if (status !== 201) throw new Error(JSON.stringify(body))
    await acme.sql('update crm.opportunities set lead_id = $2 where id = $1', [body.id, leadId])
    return body.id
  }

  /** What the schedule does every minute. */
  const rebuild = () =>
    rebuildDirtyDays.run({
      inSystem: (work) => inSystem(systemDb, work),
      inTenant: (tenantId, work) => inTenant(db, systemIn(tenantId), work),
      signal: new AbortController().signal,
      log: { info: () => {}, warn: () => {}, error: ({ err }: { err?: unknown }) => Promise.reject(err) },
    })

  return { ...test, addLeads, winDeal, rebuild }
}

/** The same question asked of what changed just now, and of what was counted since. */
export async function bothWays<T>(ask: () => Promise<T>, rebuild: () => Promise<void>): Promise<[live: T, counted: T]> {
  const live = await ask()
  await rebuild()
  return [live, await ask()]
}
