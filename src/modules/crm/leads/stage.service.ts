import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { noteSystemActivity } from '../activities/system-activities.queries.ts'
import { leadStageChanged } from '../crm.events.ts'
import { noteStage } from '../persons/life-cycle.queries.ts'
import { isBackward, stageTimes } from '../persons/life-cycle.rules.ts'
import { changeLeadFields, type LeadRow } from './leads.queries.ts'

/** `cause` says who moved it: `user`, `score`, `status`, `convert`, `deal`. */
export type StageStep = { reason?: string | null; cause: string; now: Date }

/** The columns a step of the life cycle writes. The first time a stage is reached stays. */
export const stageFields = (lead: LeadRow, to: string, now: Date) => ({
  lifecycle_stage: to,
  ...stageTimes(lead, to, now),
})

/** Tells everybody what a step was, once it is written. */
export async function announceStage(tx: TenantTx, before: LeadRow, after: LeadRow, step: StageStep): Promise<void> {
  const { reason = null, cause, now } = step
  const [from, to] = [before.lifecycle_stage, after.lifecycle_stage]
  const backward = isBackward(from, to)
  await noteStage(tx, { lead_id: after.id, from, to, reason, now })
  await noteSystemActivity(
    tx,
    { lead_id: after.id },
    { type: 'stage_changed', meta: { from, to, cause, reason }, at: now },
  )
  await emit(tx, leadStageChanged, after, { from, to, cause, backward })
}

/** Whether the step is allowed is for the caller to know. The same stage again changes nothing. A score does not count as an edit. */
export async function setStage(tx: TenantTx, lead: LeadRow, to: string, step: StageStep): Promise<LeadRow> {
  if (lead.lifecycle_stage === to) return lead
  const changed = await changeLeadFields(tx, lead.id, stageFields(lead, to, step.now), {
    counts: step.cause !== 'score',
  })
  await record(tx, 'lead.stage_changed', {
    id: lead.id,
    label: lead.name,
    before: lead,
    after: changed,
    reason: step.reason,
  })
  await announceStage(tx, lead, changed, step)
  return changed
}
