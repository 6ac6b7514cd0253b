import { runTaskBatches } from '#modules/identity'
import { defineJobHandler, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { defineTaskHandler } from '#platform/tasks'
import { listPendingIds, lockInvitations, markRevoked } from '../invitations/invitations.queries.ts'
import { audienceStart, countSkipped, type DistributionProgress, noneSkipped } from './audience.rules.ts'
import { type DistributeInput, distributeTask, revokePending } from './distribution-jobs.ts'
import { inviteBatch } from './invite-batch.service.ts'

export const distributeHandler = (services: Services): JobHandler =>
  defineTaskHandler<typeof DistributeInput, DistributionProgress>(
    distributeTask,
    async (context, { distribution_id, by }) => {
      const { recipients, skipped } = await runTaskBatches(context, services, {
        requester: by,
        scopes: ['surveys.write'],
        start: { position: audienceStart, recipients: 0, skipped: noneSkipped },
        isComplete: ({ position }) => position === null,
        countDone: (progress) => progress.recipients + countSkipped(progress.skipped),
        runBatch: (tx, actor, progress) =>
          inviteBatch(tx, actor, { distributionId: distribution_id, progress }, services),
      })
      return { recipients, skipped }
    },
  )

const batchSize = 1_000

/** Revokes the invitations of a cancelled distribution whose email was not sent. */
export const revokeInvitationsHandler: JobHandler = defineJobHandler(
  revokePending,
  async ({ inTenant, signal }, { distribution_id }) => {
    for (let found = batchSize; found === batchSize; ) {
      signal.throwIfAborted()
      found = await inTenant(async (tx) => {
        const ids = await listPendingIds(tx, distribution_id, batchSize)
        await lockInvitations(tx, ids)
        await markRevoked(tx, ids)
        return ids.length
      })
    }
  },
)
