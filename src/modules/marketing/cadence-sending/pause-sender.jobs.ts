import { filterActiveUserIds } from '#modules/identity'
import { retryOnContention, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { defineJob, defineJobHandler, type JobHandler } from '#platform/jobs'
import { Id, strict } from '#platform/schema'
import { pauseEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { listActiveEnrollmentsOfSender } from './enrollment-reactions.queries.ts'

const batchSize = 500

export const pauseSender = defineJob('marketing.pause_sender', 'bulk', strict({ user_id: Id }))

export const pauseSenderHandler: JobHandler = defineJobHandler(pauseSender, async (job, { user_id }) => {
  const pauseBatch = async (tx: TenantTx, after: string): Promise<string | null> => {
    if ((await filterActiveUserIds(tx, [user_id])).has(user_id)) return null
    const ids = await listActiveEnrollmentsOfSender(tx, user_id, { after, limit: batchSize })
    await pauseEnrollments(tx, ids, { reason: 'sender_deactivated' })
    return ids.length < batchSize ? null : ids.at(-1)!
  }
  for (let after: string | null = nilUuid; after !== null; ) {
    job.signal.throwIfAborted()
    const from: string = after
    after = await retryOnContention(() => job.inTenant((tx) => pauseBatch(tx, from)), job.signal)
  }
})
