import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { noteSystemActivity } from '../activities/system-activities.queries.ts'
import { leadStatusChanged } from '../crm.events.ts'
import { changeLeadFields, type LeadRow } from './leads.queries.ts'
import { atLeast } from './stage.rules.ts'
import { announceStage, stageFields } from './stage.service.ts'
import { assertReason, assertStatusStep } from './status.rules.ts'

/** `reason` is the one for giving a lead up; `cause` says who moved it: `user` or `activity`. */
export type StatusStep = { reason?: string | null; cause: string; now: Date }

/** The columns a status writes. Whoever is qualified has come as far as sql, and leaving `unqualified` forgets the reason. */
export function statusFields(lead: LeadRow, to: string, { reason, now }: StatusStep) {
  const stage = to === 'qualified' ? atLeast(lead.lifecycle_stage, 'sql') : lead.lifecycle_stage
  return {
    status: to,
    disqualify_reason: to === 'unqualified' ? (reason ?? null) : null,
    ...(stage !== lead.lifecycle_stage && stageFields(lead, stage, now)),
  }
}

export async function announceStatus(tx: TenantTx, before: LeadRow, after: LeadRow, step: StatusStep): Promise<void> {
  const [from, to] = [before.status, after.status]
  const { disqualify_reason: reason } = after
  const meta = { from, to, cause: step.cause, reason }
  await noteSystemActivity(tx, { lead_id: after.id }, { type: 'status_changed', meta, at: step.now })
  await emit(tx, leadStatusChanged, after, { from, to, reason })
}

/** Leads a lead to another status, if there is a way. The same status again changes nothing. */
export async function setStatus(tx: TenantTx, lead: LeadRow, to: string, step: StatusStep): Promise<LeadRow> {
  if (lead.status === to) return lead
  assertStatusStep(lead.status, to)
  assertReason(to, step.reason)
  const changed = await changeLeadFields(tx, lead.id, statusFields(lead, to, step))
  await record(tx, 'lead.status_changed', { id: lead.id, label: lead.name, before: lead, after: changed })
  await announceStatus(tx, lead, changed, step)
  if (changed.lifecycle_stage !== lead.lifecycle_stage)
    await announceStage(tx, lead, changed, { cause: 'status', now: step.now })
  return changed
}
