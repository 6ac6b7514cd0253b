import { type TenantTx, withSavepoint } from '#platform/db'
import { AppError, notFound } from '#platform/errors'
import { lockExistingIds } from './bulk.queries.ts'
import type { RecordOutcome } from './bulk.rules.ts'
import type { BulkAction, BulkContext, RecordResult } from './bulk-action.ts'
import type { BulkKind } from './bulk-kind.ts'

export type BulkRun = BulkContext & {
  kind: BulkKind
  action: BulkAction
  params: object
  onLocked?: (ids: readonly string[]) => Promise<void>
}

export async function applyToRecords(tx: TenantTx, ids: readonly string[], run: BulkRun): Promise<RecordOutcome[]> {
  const { kind, action } = run
  const { isForDeleted = false, lockBeforeRecords } = action
  await lockBeforeRecords?.(tx, ids)
  const existing = await lockExistingIds(tx, kind, ids, { isDeleted: isForDeleted })
  const existingIds = ids.filter((id) => existing.has(id))
  await run.onLocked?.(existingIds)
  const results = (await tryApplyToAll(tx, existingIds, run)) ?? (await applyOneByOne(tx, existingIds, run))
  const resultById = new Map(existingIds.map((id, index) => [id, results[index]!]))
  const missing = isForDeleted ? `deleted ${kind.type}` : kind.type
  return ids.map((id) => toOutcome(id, resultById.get(id) ?? notFound(missing)))
}

/** Returns undefined if the action must be applied one by one, for example because an event subscriber rejected a record. */
async function tryApplyToAll(tx: TenantTx, ids: readonly string[], run: BulkRun): Promise<RecordResult[] | undefined> {
  const { action, params } = run
  if (!action.applyToAll) return undefined
  const results = await catchAppError(() => withSavepoint(tx, () => action.applyToAll!(tx, ids, params as never, run)))
  return results instanceof AppError ? undefined : results
}

async function applyOneByOne(tx: TenantTx, ids: readonly string[], run: BulkRun): Promise<RecordResult[]> {
  const { action, params } = run
  const results: RecordResult[] = []
  for (const id of ids)
    results.push(await catchAppError(() => withSavepoint(tx, () => action.apply(tx, id, params as never, run))))
  return results
}

export async function catchAppError<T>(work: () => T | Promise<T>): Promise<T | AppError> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return error
  }
}

function toOutcome(id: string, result: RecordResult): RecordOutcome {
  if (typeof result === 'boolean') return { id, outcome: result ? 'ok' : 'unchanged', code: null, message: null }
  const code = result.status === 403 ? 'forbidden' : result.code
  return { id, outcome: 'failed', code, message: result.message }
}
