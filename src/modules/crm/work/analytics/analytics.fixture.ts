import { newId } from '#platform/ids'
import { runTenantSchedule, startTestApp } from '#testing'
import { foldLeadDeltasSchedule, recountRollupsSchedule } from './rollups.jobs.ts'

export type Acme = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

/** Columns of `crm.leads`, including those that the API does not accept. */
type Columns = Record<string, unknown> & { created_on?: string }

/** Starts the application with helpers for existing leads, won deals and the fold of deltas. */
export async function startAnalyticsApp(started = startTestApp()) {
  const test = await started

  /** Inserts leads that all have the same `columns`. */
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

  /** Creates a won deal of a lead. */
  async function winDeal(acme: Acme, leadId: string, amount: number): Promise<string> {
    const account_id = newId()
    await acme.sql(
      `insert into crm.accounts (tenant_id, id, name, name_key, search_text) values ($1, $2, 'I', 'i', ' i')`,
      [acme.id, account_id],
    )
    const deal = { name: 'Engines', account_id, close_on: '2026-03-31', stage_key: 'closed_won' }
    const amounts = { amount: { amount: String(amount), currency: 'EUR' } }
    const { status, body } = await acme.member.post('/api/opportunities/', { ...deal, ...amounts })
    if (status !== 201) throw new Error(JSON.stringify(body))
    await acme.sql('update crm.opportunities set lead_id = $2 where id = $1', [body.id, leadId])
    return body.id
  }

  const fold = () => runTenantSchedule(test, foldLeadDeltasSchedule)

  /** Runs the nightly recount and passes the fields of its log lines to `report`. */
  const recount = (report: (fields: object) => void) => runTenantSchedule(test, recountRollupsSchedule, report)

  return { ...test, addLeads, winDeal, fold, recount }
}

/** Calls `read` before and after the deltas are added to the rollups. */
export async function beforeAndAfterFold<T>(
  read: () => Promise<T>,
  fold: () => Promise<void>,
): Promise<[unfolded: T, folded: T]> {
  const unfolded = await read()
  await fold()
  return [unfolded, await read()]
}
