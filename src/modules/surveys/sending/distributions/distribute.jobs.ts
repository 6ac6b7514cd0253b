import { runTaskBatches } from '#modules/identity'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { defineTaskHandler } from '#platform/tasks'
import { audienceStart, countSkipped, type DistributionProgress, noneSkipped } from './audience.rules.ts'
import { type DistributeInput, distributeTask } from './distribute-task.ts'
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
