import type { TenantTx } from '#platform/db'
import { defineJob, enqueue, handleJob, type JobHandler } from '#platform/jobs'
import { Id, strict } from '#platform/schema'
import { carryHistory } from './convert.queries.ts'

const carryOrder = defineJob('crm.carry_history', 'bulk', strict({ lead_id: Id }))

/** As many entries as a conversion sees to itself. */
const carriedAtOnce = 5_000
const batchSize = 1_000

/** A long history is carried over soon after. */
export async function carryHistoryOf(tx: TenantTx, leadId: string): Promise<void> {
  const carried = await carryHistory(tx, leadId, carriedAtOnce)
  if (carried === carriedAtOnce) await enqueue(tx, carryOrder, { lead_id: leadId }, { singletonKey: leadId })
}

export const carryingHistory: JobHandler = handleJob(carryOrder, async ({ inTenant, signal }, { lead_id }) => {
  do signal.throwIfAborted()
  while ((await inTenant((tx) => carryHistory(tx, lead_id, batchSize))) === batchSize)
})
