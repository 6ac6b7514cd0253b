import type { TenantTx } from '#platform/db'
import { defineJob, enqueue, handleJob, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { noteBreach } from './sla.service.ts'

const checkSla = defineJob('crm.check_sla', 'events', strict({ lead_id: Id }))

/** Looks after a lead when its time is up. */
export const checkSlaLater = (tx: TenantTx, leadId: string, dueAt: Date): Promise<void> =>
  enqueue(tx, checkSla, { lead_id: leadId }, { startAfter: dueAt, singletonKey: leadId })

export const checkingSla = ({ clock }: Pick<Services, 'clock'>): JobHandler =>
  handleJob(checkSla, async ({ inTenant }, { lead_id }) => {
    const dueAt = await inTenant((tx) => noteBreach(tx, lead_id, clock.now()))
    // Whose clock is ahead of ours came too early.
    if (dueAt) await inTenant((tx) => checkSlaLater(tx, lead_id, dueAt))
  })
