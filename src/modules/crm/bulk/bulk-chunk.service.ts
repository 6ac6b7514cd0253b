import type { SignedIn } from '#platform/access'
import { type TenantTx, withinSavepoint } from '#platform/db'
import { AppError, notFound } from '#platform/errors'
import type { BulkAction } from '#platform/module'
import { lockPresent } from './bulk.queries.ts'
import type { LeadOutcome, Params } from './bulk.schemas.ts'
import type { Verdict } from './many-leads.service.ts'

/** As many leads as one transaction changes. */
export const chunkSize = 50

export type Bulk = { action: BulkAction; params: Params; actor: SignedIn; now: Date }

/** Does it to each lead of a chunk. What one of them refuses is its own outcome. */
export async function changeChunk(tx: TenantTx, ids: readonly string[], bulk: Bulk): Promise<LeadOutcome[]> {
  const present = await lockPresent(tx, ids)
  const there = ids.filter((id) => present.has(id))
  const verdicts = (await changeTogether(tx, there, bulk)) ?? (await changeOneByOne(tx, there, bulk))
  const verdictOn = new Map(there.map((id, index) => [id, verdicts[index]!]))
  return ids.map((id) => outcomeOf(id, verdictOn.get(id) ?? notFound('lead')))
}

/** Undefined where that cannot be done, or somebody who shares the transaction refuses: then it must be found out whom. */
async function changeTogether(tx: TenantTx, ids: readonly string[], bulk: Bulk): Promise<Verdict[] | undefined> {
  const { action, params, actor, now } = bulk
  if (!action.applyToAll) return undefined
  const verdicts = await refusalOr(() =>
    withinSavepoint(tx, () => action.applyToAll!(tx, ids, params as never, { actor, now })),
  )
  return verdicts instanceof AppError ? undefined : verdicts
}

async function changeOneByOne(tx: TenantTx, ids: readonly string[], bulk: Bulk): Promise<Verdict[]> {
  const { action, params, actor, now } = bulk
  const verdicts: Verdict[] = []
  for (const id of ids)
    verdicts.push(
      await refusalOr(() => withinSavepoint(tx, () => action.apply(tx, id, params as never, { actor, now }))),
    )
  return verdicts
}

async function refusalOr<T>(work: () => Promise<T>): Promise<T | AppError> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return error
  }
}

function outcomeOf(lead_id: string, verdict: Verdict): LeadOutcome {
  if (typeof verdict === 'boolean') return { lead_id, outcome: verdict ? 'ok' : 'unchanged', code: null, message: null }
  const code = verdict.status === 403 ? 'forbidden' : verdict.code
  return { lead_id, outcome: 'failed', code, message: verdict.message }
}
