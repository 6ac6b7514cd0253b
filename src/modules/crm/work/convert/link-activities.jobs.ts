import type { TenantTx } from '#platform/db'
import { defineJob, defineJobHandler, enqueue, type JobHandler } from '#platform/jobs'
import { Id, strict } from '#platform/schema'
import { linkLeadActivities } from './convert.queries.ts'

const linkActivitiesJob = defineJob('crm.link_lead_activities', 'bulk', strict({ lead_id: Id }))

/** Activities linked in the transaction of the conversion; a job links the rest. */
const inlineLimit = 5_000
const batchSize = 1_000

export async function linkActivitiesOfLead(tx: TenantTx, leadId: string): Promise<void> {
  const linked = await linkLeadActivities(tx, leadId, inlineLimit)
  if (linked === inlineLimit) await enqueue(tx, linkActivitiesJob, { lead_id: leadId }, { singletonKey: leadId })
}

export const linkActivitiesHandler: JobHandler = defineJobHandler(
  linkActivitiesJob,
  async ({ inTenant, signal }, { lead_id }) => {
    do signal.throwIfAborted()
    while ((await inTenant((tx) => linkLeadActivities(tx, lead_id, batchSize))) === batchSize)
  },
)
