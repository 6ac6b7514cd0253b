import type { TenantTx } from '#platform/db'
import { defineJob, defineJobHandler, enqueue, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import type { LeadRow } from '../lead-records/leads.queries.ts'
import { checkSlaBreach } from './sla.service.ts'

const checkSlaJob = defineJob('crm.check_sla', 'events', strict({ lead_id: Id }))

export const scheduleSlaCheck = (tx: TenantTx, leadId: string, dueAt: Date): Promise<void> =>
  enqueue(tx, checkSlaJob, { lead_id: leadId }, { startAfter: dueAt, singletonKey: leadId })

/** Schedules the check of an unanswered lead again. The last check had no effect if the lead was answered or deleted then. */
export async function resumeSlaCheck(tx: TenantTx, lead: LeadRow): Promise<void> {
  const { id, sla_due_at, first_responded_at, sla_breached_at } = lead
  if (sla_due_at && !first_responded_at && !sla_breached_at) await scheduleSlaCheck(tx, id, sla_due_at)
}

export const checkSlaHandler = ({ clock }: Pick<Services, 'clock'>): JobHandler =>
  defineJobHandler(checkSlaJob, async ({ inTenant }, { lead_id }) => {
    const dueAt = await inTenant((tx) => checkSlaBreach(tx, lead_id, clock.now()))
    // The job ran before the deadline because of clock skew.
    if (dueAt) await inTenant((tx) => scheduleSlaCheck(tx, lead_id, dueAt))
  })
