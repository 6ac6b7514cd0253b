import { type TenantTx, withSavepoint } from '#platform/db'
import { AppError, notFound } from '#platform/errors'
import { lockExistingLeadIds } from './bulk.queries.ts'
import type { BulkParams, LeadOutcome } from './bulk.schemas.ts'
import type { BulkContext, LeadBulkAction, LeadResult } from './bulk-action.ts'
import { catchAppError } from './update-many-leads.service.ts'

export type BulkRun = BulkContext & {
  action: LeadBulkAction
  params: BulkParams
  onLocked?: (ids: readonly string[]) => Promise<void>
}

export async function applyToLeads(tx: TenantTx, ids: readonly string[], run: BulkRun): Promise<LeadOutcome[]> {
  const { isForDeleted = false, lockBeforeLeads } = run.action
  await lockBeforeLeads?.(tx, ids)
  const existing = await lockExistingLeadIds(tx, ids, { isDeleted: isForDeleted })
  const existingIds = ids.filter((id) => existing.has(id))
  await run.onLocked?.(existingIds)
  const results = (await tryApplyToAll(tx, existingIds, run)) ?? (await applyOneByOne(tx, existingIds, run))
  const resultById = new Map(existingIds.map((id, index) => [id, results[index]!]))
  return ids.map((id) => toOutcome(id, resultById.get(id) ?? notFound(isForDeleted ? 'deleted lead' : 'lead')))
}

/** Returns undefined if the action must be applied one by one, for example because an event subscriber rejected a lead. */
async function tryApplyToAll(tx: TenantTx, ids: readonly string[], run: BulkRun): Promise<LeadResult[] | undefined> {
  const { action, params } = run
  if (!action.applyToAll) return undefined
  const results = await catchAppError(() => withSavepoint(tx, () => action.applyToAll!(tx, ids, params as never, run)))
  return results instanceof AppError ? undefined : results
}

async function applyOneByOne(tx: TenantTx, ids: readonly string[], run: BulkRun): Promise<LeadResult[]> {
  const { action, params } = run
  const results: LeadResult[] = []
  for (const id of ids)
    results.push(await catchAppError(() => withSavepoint(tx, () => action.apply(tx, id, params as never, run))))
  return results
}

function toOutcome(lead_id: string, result: LeadResult): LeadOutcome {
  if (typeof result === 'boolean') return { lead_id, outcome: result ? 'ok' : 'unchanged', code: null, message: null }
  const code = result.status === 403 ? 'forbidden' : result.code
  return { lead_id, outcome: 'failed', code, message: result.message }
}
