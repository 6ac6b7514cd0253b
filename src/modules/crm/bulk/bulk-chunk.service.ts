import type { SignedIn } from '#platform/access'
import { type TenantTx, withinSavepoint } from '#platform/db'
import { AppError } from '#platform/errors'
import type { BulkAction } from '#platform/module'
import { lockLeads } from '../leads/leads.queries.ts'
import type { LeadOutcome, Params } from './bulk.schemas.ts'

/** As many leads as one transaction changes. */
export const chunkSize = 50

export type Bulk = { action: BulkAction; params: Params; actor: SignedIn; now: Date }

/** Does it to each lead of a chunk. What one of them refuses is its own outcome. */
export async function changeChunk(tx: TenantTx, ids: readonly string[], bulk: Bulk): Promise<LeadOutcome[]> {
  const present = new Set((await lockLeads(tx, ids)).map(({ id }) => id))
  const outcomes: LeadOutcome[] = []
  for (const lead_id of ids)
    outcomes.push(
      present.has(lead_id)
        ? await changeOne(tx, lead_id, bulk)
        : { lead_id, outcome: 'failed', code: 'not_found', message: 'There is no such lead.' },
    )
  return outcomes
}

async function changeOne(tx: TenantTx, lead_id: string, { action, params, actor, now }: Bulk): Promise<LeadOutcome> {
  try {
    const hasChanged = await withinSavepoint(tx, () => action.apply(tx, lead_id, params as never, { actor, now }))
    return { lead_id, outcome: hasChanged ? 'ok' : 'unchanged', code: null, message: null }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const code = error.status === 403 ? 'forbidden' : error.code
    return { lead_id, outcome: 'failed', code, message: error.message }
  }
}
