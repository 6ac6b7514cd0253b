import type { TenantTx } from '#platform/db'
import { type LeadRow, lockLeadsIncludingDeleted } from '../../people/lead-records/leads.queries.ts'
import { applyToLeads, type BulkRun } from './apply-to-leads.service.ts'
import { formerValuesOf } from './bulk.rules.ts'
import type { LeadOutcome } from './bulk.schemas.ts'
import { insertBulkChanges } from './bulk-changes.queries.ts'

export async function applyUndoably(
  tx: TenantTx,
  ids: readonly string[],
  run: BulkRun,
  taskId: string,
): Promise<LeadOutcome[]> {
  const { undo } = run.action
  if (!undo) return await applyToLeads(tx, ids, run)
  let former: LeadRow[] = []
  const outcomes = await applyToLeads(tx, ids, {
    ...run,
    async onLocked(existingIds) {
      former = await lockLeadsIncludingDeleted(tx, existingIds)
    },
  })
  const changedIds = outcomes.flatMap(({ lead_id, outcome }) => (outcome === 'ok' ? [lead_id] : []))
  const formerOf = new Map(former.map((lead) => [lead.id, lead]))
  const changed = changedIds.length ? await lockLeadsIncludingDeleted(tx, changedIds) : []
  await insertBulkChanges(
    tx,
    taskId,
    changed.map((lead) => ({
      lead_id: lead.id,
      version: lead.version,
      before: formerValuesOf(undo.fields, formerOf.get(lead.id)!, lead),
    })),
  )
  return outcomes
}
