import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { emitStageChanges, toLeadStageColumns } from '../../people/lead-records/lead-stage.service.ts'
import { emitStatusChanges } from '../../people/lead-records/lead-status.service.ts'
import { lockLeadsIncludingDeleted } from '../../people/lead-records/leads.queries.ts'
import type { LeadChanges } from '../../people/lead-records/leads.schemas.ts'
import { updateLeadBatch } from '../../people/leads/update-lead-batch.service.ts'
import type { BulkContext, FormerLead, LeadBulkAction, LeadBulkUndo, LeadResult } from './bulk-action.ts'
import { withApplyToAll } from './bulk-action.ts'
import type { BulkChange } from './bulk-changes.queries.ts'
import { recordAuditOfMany, updateManyLeads } from './update-many-leads.service.ts'

const stageReason = 'The bulk action was undone.'

/** Returns an action that restores leads, except those with another version than after the bulk action. */
export function toUndoAction(undo: LeadBulkUndo, changes: readonly BulkChange[]): LeadBulkAction {
  const changeOf = new Map(changes.map((change) => [change.lead_id, change]))
  return {
    name: 'undo',
    takes: [],
    isForDeleted: undo.isForDeleted,
    lockBeforeLeads: undo.lockBeforeLeads,
    ...withApplyToAll(async (tx, ids, _params, by) => {
      const leads = await lockLeadsIncludingDeleted(tx, ids)
      const unchanged = leads.filter(({ id, version }) => version === changeOf.get(id)?.version)
      const former = unchanged.map(({ id }) => ({ id, before: changeOf.get(id)!.before }))
      const results = former.length ? await undo.restore(tx, former, by) : []
      const resultOf = new Map(former.map(({ id }, index) => [id, results[index]!]))
      return ids.map((id) => resultOf.get(id) ?? conflict('conflict', 'The lead was changed after the bulk action.'))
    }),
  }
}

export async function restoreFields(
  tx: TenantTx,
  leads: readonly FormerLead[],
  { actor, services }: BulkContext,
): Promise<LeadResult[]> {
  const updates = leads.map(({ id, before }) => ({ id, changes: before as LeadChanges }))
  const outcomes = await updateLeadBatch(tx, actor, updates, services)
  return outcomes.map((outcome) => ('error' in outcome ? outcome.error : true))
}

/** Restores statuses and stages without checking the transition, because users cannot set all of the former ones. */
export async function restoreStatus(
  tx: TenantTx,
  leads: readonly FormerLead[],
  { now }: BulkContext,
): Promise<LeadResult[]> {
  const formerOf = new Map(leads.map(({ id, before }) => [id, before]))
  return await updateManyLeads(
    tx,
    leads.map(({ id }) => id),
    {
      columnsFor(lead) {
        const former = formerOf.get(lead.id)!
        // Scoring can have returned the lead to its former stage in the bulk action.
        if (!Object.keys(former).length) return undefined
        const { lifecycle_stage: stage, ...columns } = former
        return { ...columns, ...(typeof stage === 'string' && toLeadStageColumns(lead, stage, now)) }
      },
      async onUpdated(changes) {
        const withStatus = changes.filter(({ before, after }) => after.status !== before.status)
        const withStage = changes.filter(({ before, after }) => after.lifecycle_stage !== before.lifecycle_stage)
        const onlyStage = withStage.filter((change) => !withStatus.includes(change))
        await recordAuditOfMany(tx, 'lead.status_changed', withStatus)
        await recordAuditOfMany(tx, 'lead.stage_changed', onlyStage, stageReason)
        await emitStatusChanges(tx, withStatus, { cause: 'user', now })
        await emitStageChanges(tx, withStage, { reason: stageReason, cause: 'user', now })
      },
    },
    now,
  )
}
