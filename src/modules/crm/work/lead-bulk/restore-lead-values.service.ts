import type { TenantTx } from '#platform/db'
import { emitStageChanges, toLeadStageColumns } from '../../people/lead-records/lead-stage.service.ts'
import { emitStatusChanges } from '../../people/lead-records/lead-status.service.ts'
import type { LeadChanges } from '../../people/lead-records/leads.schemas.ts'
import { updateLeadBatch } from '../../people/leads/update-lead-batch.service.ts'
import type { BulkContext, FormerRecord, RecordResult } from '../bulk/bulk-action.ts'
import { recordAuditOfMany, updateManyLeads } from './update-many-leads.service.ts'

const stageReason = 'The bulk action was undone.'

export async function restoreFields(
  tx: TenantTx,
  leads: readonly FormerRecord[],
  { actor, services }: BulkContext,
): Promise<RecordResult[]> {
  const updates = leads.map(({ id, before }) => ({ id, changes: before as LeadChanges }))
  const outcomes = await updateLeadBatch(tx, actor, updates, services)
  return outcomes.map((outcome) => ('error' in outcome ? outcome.error : true))
}

/** Restores statuses and stages without checking the transition, because users cannot set all of the former ones. */
export async function restoreStatus(
  tx: TenantTx,
  leads: readonly FormerRecord[],
  { now }: BulkContext,
): Promise<RecordResult[]> {
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
