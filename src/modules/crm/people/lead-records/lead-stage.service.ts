import { recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emitMany } from '#platform/outbox'
import { leadStageChanged } from '../../crm.events.ts'
import { insertLifecycleEvents } from '../../records/person-keys/lifecycle.queries.ts'
import { deriveStageTimestamps, isBackward } from '../../records/person-keys/lifecycle.rules.ts'
import { insertSystemActivities } from '../../records/system-activities/system-activities.queries.ts'
import type { LeadRow } from './leads.queries.ts'
import { updateLeads } from './update-leads.service.ts'

export type LeadStageChange = { reason?: string | null; cause: string; now: Date }

export const toLeadStageColumns = (lead: LeadRow, to: string, now: Date) => ({
  lifecycle_stage: to,
  ...deriveStageTimestamps(lead, to, now),
})

export type ChangedLead = { before: LeadRow; after: LeadRow }

export async function emitStageChanges(
  tx: TenantTx,
  changes: readonly ChangedLead[],
  { reason = null, cause, now }: LeadStageChange,
): Promise<void> {
  const events = changes.map(({ before, after }) => {
    const [from, to] = [before.lifecycle_stage, after.lifecycle_stage]
    return { subject: after, data: { from, to, cause, backward: isBackward(from, to) } }
  })
  const stageChanges = events.map(({ subject, data: { from, to } }) => ({ lead_id: subject.id, from, to, reason }))
  const activities = stageChanges.map(({ lead_id, from, to }) => ({
    parent: { lead_id },
    activity: { type: 'stage_changed', meta: { from, to, cause, reason }, at: now },
  }))
  await Promise.all([
    insertLifecycleEvents(tx, stageChanges, now),
    insertSystemActivities(tx, activities),
    emitMany(tx, leadStageChanged, events),
  ])
}

export const emitStageChange = (
  tx: TenantTx,
  before: LeadRow,
  after: LeadRow,
  change: LeadStageChange,
): Promise<void> => emitStageChanges(tx, [{ before, after }], change)

/** Sets the stage without checking the transition. A change caused by the score does not increment the version. */
export async function setLeadStage(tx: TenantTx, lead: LeadRow, to: string, change: LeadStageChange): Promise<LeadRow> {
  return (await setLeadStages(tx, [lead], to, change)).get(lead.id) ?? lead
}

export async function setLeadStages(
  tx: TenantTx,
  leads: readonly LeadRow[],
  to: string,
  change: LeadStageChange,
): Promise<Map<string, LeadRow>> {
  const updates = leads
    .filter(({ lifecycle_stage }) => lifecycle_stage !== to)
    .map((lead) => ({ id: lead.id, columns: toLeadStageColumns(lead, to, change.now) }))
  const changed = await updateLeads(tx, updates, { incrementVersion: change.cause !== 'score' })
  const changes = leads.flatMap((before) => {
    const after = changed.get(before.id)
    return after ? [{ before, after }] : []
  })
  await recordStageChanges(tx, changes, change)
  return changed
}

export async function recordStageChanges(
  tx: TenantTx,
  changes: readonly ChangedLead[],
  change: LeadStageChange,
): Promise<void> {
  const { reason } = change
  const entries = changes.map(({ before, after }) => ({ id: before.id, label: before.name, before, after, reason }))
  await Promise.all([recordAuditEntries(tx, 'lead.stage_changed', entries), emitStageChanges(tx, changes, change)])
}
