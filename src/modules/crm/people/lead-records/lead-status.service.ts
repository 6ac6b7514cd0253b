import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emitMany } from '#platform/outbox'
import { leadStatusChanged } from '../../crm.events.ts'
import { insertSystemActivities } from '../../records/system-activities/system-activities.queries.ts'
import { type ChangedLead, emitStageChange, toLeadStageColumns } from './lead-stage.service.ts'
import { type LeadRow, updateLeadRow } from './leads.queries.ts'
import { assertDisqualifyReason, assertLeadStatusTransition, stageForStatus } from './leads.rules.ts'

/** `reason` is the disqualify reason; `cause` is `user`, `activity` or `convert`. */
export type LeadStatusChange = { reason?: string | null; cause: string; now: Date }

export function toLeadStatusColumns(lead: LeadRow, to: string, { reason, now }: LeadStatusChange) {
  const stage = stageForStatus(to, lead.lifecycle_stage)
  return {
    status: to,
    disqualify_reason: to === 'unqualified' ? (reason ?? null) : null,
    ...(stage !== lead.lifecycle_stage && toLeadStageColumns(lead, stage, now)),
  }
}

export async function emitStatusChanges(
  tx: TenantTx,
  changes: readonly ChangedLead[],
  { cause, now }: Omit<LeadStatusChange, 'reason'>,
): Promise<void> {
  const events = changes.map(({ before, after }) => ({
    subject: after,
    data: { from: before.status, to: after.status, reason: after.disqualify_reason },
  }))
  const activities = events.map(({ subject, data: { from, to, reason } }) => ({
    parent: { lead_id: subject.id },
    activity: { type: 'status_changed', meta: { from, to, cause, reason }, at: now },
  }))
  await Promise.all([insertSystemActivities(tx, activities), emitMany(tx, leadStatusChanged, events)])
}

export const emitStatusChange = (
  tx: TenantTx,
  before: LeadRow,
  after: LeadRow,
  change: LeadStatusChange,
): Promise<void> => emitStatusChanges(tx, [{ before, after }], change)

export async function setLeadStatus(
  tx: TenantTx,
  lead: LeadRow,
  to: string,
  change: LeadStatusChange,
): Promise<LeadRow> {
  if (lead.status === to) return lead
  assertLeadStatusTransition(lead.status, to)
  assertDisqualifyReason(to, change.reason)
  const changed = await updateLeadRow(tx, lead.id, toLeadStatusColumns(lead, to, change))
  await recordAudit(tx, 'lead.status_changed', { id: lead.id, label: lead.name, before: lead, after: changed })
  await emitStatusChange(tx, lead, changed, change)
  if (changed.lifecycle_stage !== lead.lifecycle_stage)
    await emitStageChange(tx, lead, changed, { cause: 'status', now: change.now })
  return changed
}
