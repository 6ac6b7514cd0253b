import { Type } from 'typebox'
import { lockUsersShared } from '#modules/identity'
import { retryOnContention, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { defineJob, defineJobHandler, type JobContext, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, nullable, strict } from '#platform/schema'
import { reassignEnrollments } from '../cadence-runs/reassign-enrollments.service.ts'
import { pauseWithoutSender, resumeEnrollments } from '../cadence-runs/resume-enrollments.service.ts'
import { listEnrollmentIdsOfSender, type SenderEnrollments } from '../cadence-runs/sender-enrollments.queries.ts'
import { returnTasks } from '../cadence-tasks/return-tasks.service.ts'
import { listGivenTaskRunIds } from '../cadence-tasks/step-tasks.queries.ts'

const batchSize = 500

export const pauseSender = defineJob(
  'marketing.pause_sender',
  'bulk',
  strict({ user_id: Id, successor_id: Type.Optional(nullable(Id)) }),
)
export const resumeSender = defineJob('marketing.resume_sender', 'bulk', strict({ user_id: Id }))

/** Gives the enrollments and tasks of a deactivated user to the successor, or pauses them. Ends if the user is active again. */
export const pauseSenderHandler = ({ clock }: Pick<Services, 'clock'>): JobHandler =>
  defineJobHandler(pauseSender, async (job, { user_id, successor_id = null }) => {
    await runBatches(job, async (tx, after) => {
      const { isActive, successorId: senderId } = await lockLeavingUser(tx, user_id, successor_id)
      if (isActive) return null
      const status = senderId === undefined ? 'active' : 'live'
      return await changeBatch(tx, { senderId: user_id, status }, after, (ids) =>
        senderId === undefined
          ? pauseWithoutSender(tx, ids)
          : reassignEnrollments(tx, ids, { fromSenderId: user_id, senderId, now: clock.now() }),
      )
    })
    await runBatches(job, async (tx, after) => {
      const { isActive, successorId } = await lockLeavingUser(tx, user_id, successor_id)
      if (isActive) return null
      const ids = await listGivenTaskRunIds(tx, user_id, { after, limit: batchSize })
      if (ids.length) await returnTasks(tx, ids, { userId: user_id, successorId })
      return ids.length < batchSize ? null : ids.at(-1)!
    })
  })

/** Continues the enrollments that were paused because their sender was not active. Ends if the user is deactivated again. */
export const resumeSenderHandler = ({ clock }: Pick<Services, 'clock'>): JobHandler =>
  defineJobHandler(resumeSender, (job, { user_id }) =>
    runBatches(job, async (tx, after) => {
      if (!(await listActiveUsers(tx, [user_id])).has(user_id)) return null
      return await changeBatch(tx, { senderId: user_id, status: reason }, after, (ids) =>
        resumeEnrollments(tx, ids, {
          isOver: ({ sender_id, paused_reason }) => sender_id === user_id && paused_reason === reason,
          now: clock.now(),
        }),
      )
    }),
  )

const reason = 'sender_deactivated'

async function lockLeavingUser(
  tx: TenantTx,
  userId: string,
  successorId: string | null,
): Promise<{ isActive: boolean; successorId: string | undefined }> {
  const active = await listActiveUsers(tx, successorId === null ? [userId] : [userId, successorId])
  return {
    isActive: active.has(userId),
    successorId: successorId !== null && active.has(successorId) ? successorId : undefined,
  }
}

/** Locks the users, so that their status stays as it is until the transaction ends. */
async function listActiveUsers(tx: TenantTx, ids: readonly string[]): Promise<Set<string>> {
  const users = await lockUsersShared(tx, ids)
  return new Set(users.filter(({ status }) => status === 'active').map(({ id }) => id))
}

/** `runBatch` returns the id after which the next batch begins, or null. */
async function runBatches(
  job: Pick<JobContext, 'inTenant' | 'signal'>,
  runBatch: (tx: TenantTx, after: string) => Promise<string | null>,
): Promise<void> {
  for (let after: string | null = nilUuid; after !== null; ) {
    job.signal.throwIfAborted()
    const from: string = after
    after = await retryOnContention(() => job.inTenant((tx) => runBatch(tx, from)), job.signal)
  }
}

async function changeBatch(
  tx: TenantTx,
  filter: SenderEnrollments,
  after: string,
  change: (ids: readonly string[]) => Promise<unknown>,
): Promise<string | null> {
  const ids = await listEnrollmentIdsOfSender(tx, filter, { after, limit: batchSize })
  if (ids.length) await change(ids)
  return ids.length < batchSize ? null : ids.at(-1)!
}
