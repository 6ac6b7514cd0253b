import type { TenantTx } from '#platform/db'
import { defineJob, defineJobHandler, enqueueAll, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import type { LeadRow } from '../lead-records/leads.queries.ts'
import { checkSlaBreach } from './sla.service.ts'

const checkSlaJob = defineJob('crm.check_sla', 'events', strict({ lead_id: Id }))

export const scheduleSlaCheck = (tx: TenantTx, leadId: string, dueAt: Date): Promise<void> =>
  scheduleSlaChecks(tx, [{ id: leadId, sla_due_at: dueAt }])

export function scheduleSlaChecks(tx: TenantTx, leads: readonly Pick<LeadRow, 'id' | 'sla_due_at'>[]): Promise<void> {
  const requests = leads.flatMap(({ id, sla_due_at }) =>
    sla_due_at ? [{ payload: { lead_id: id }, startAfter: sla_due_at, singletonKey: id }] : [],
  )
  return enqueueAll(tx, checkSlaJob, requests)
}

/** Schedules the checks of unanswered leads again. The last check had no effect if the lead was answered or deleted then. */
export async function resumeSlaChecks(tx: TenantTx, leads: readonly LeadRow[]): Promise<void> {
  const isUnanswered = ({ first_responded_at, sla_breached_at }: LeadRow) => !first_responded_at && !sla_breached_at
  await scheduleSlaChecks(tx, leads.filter(isUnanswered))
}

export const checkSlaHandler = ({ clock }: Pick<Services, 'clock'>): JobHandler =>
  defineJobHandler(checkSlaJob, async ({ inTenant }, { lead_id }) => {
    const dueAt = await inTenant((tx) => checkSlaBreach(tx, lead_id, clock.now()))
    // The job ran before the deadline because of clock skew.
    if (dueAt) await inTenant((tx) => scheduleSlaCheck(tx, lead_id, dueAt))
  })
