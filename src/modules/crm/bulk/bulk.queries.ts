import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { type LeadFilter, matchingLeads } from '../leads/lead-filter.queries.ts'

/** What fails in `work` is undone, and the transaction goes on. */
export async function withinSavepoint<T>(tx: TenantTx, work: () => Promise<T>): Promise<T> {
  await sql`savepoint one_lead`.execute(tx)
  try {
    const result = await work()
    await sql`release savepoint one_lead`.execute(tx)
    return result
  } catch (error) {
    await sql`rollback to savepoint one_lead`.execute(tx)
    throw error
  }
}

/** The leads a filter means, at most so many. */
export async function idsMatching(tx: TenantTx, filter: LeadFilter, limit: number): Promise<string[]> {
  const { leads } = await matchingLeads(tx, filter)
  const rows = await leads.select('id').orderBy('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}
