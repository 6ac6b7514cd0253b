import { completeTasks } from '#modules/crm'
import { retryOnContention, type TenantTx } from '#platform/db'
import { defineJobHandler, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { findCadence, lockCadence } from '../cadence-records/cadences.queries.ts'
import { changeEnrollmentBatch } from './live-enrollments.service.ts'
import { closeRemovedTasks, updateLiveEnrollments } from './live-enrollments-job.ts'

/** Changes the enrollments of a large cadence in batches, unless its status changed since. */
export const updateLiveEnrollmentsHandler = ({ clock }: Pick<Services, 'clock'>): JobHandler =>
  defineJobHandler(updateLiveEnrollments, async ({ inTenant, signal }, { cadence_id, change, after: start }) => {
    const runBatch = async (tx: TenantTx, after: string): Promise<string | undefined> => {
      if (!(await findCadence(tx, cadence_id))) return undefined
      const cadence = await lockCadence(tx, cadence_id)
      const statuses = { exit: ['archived'], plan: ['active'], leave_removed_steps: ['active', 'paused'] }[change]
      return statuses.includes(cadence.status)
        ? await changeEnrollmentBatch(tx, cadence, { change, after }, clock.now())
        : undefined
    }
    for (let after: string | undefined = start; after !== undefined; ) {
      signal.throwIfAborted()
      const from: string = after
      after = await retryOnContention(() => inTenant((tx) => runBatch(tx, from)), signal)
    }
  })

/** Activities are locked before cadences, so their tasks are closed after the commit. */
export const closeRemovedTasksHandler = ({ clock }: Pick<Services, 'clock'>): JobHandler =>
  defineJobHandler(closeRemovedTasks, ({ inTenant }, { activity_ids }) =>
    inTenant((tx) => completeTasks(tx, activity_ids, { outcome: 'skipped', at: clock.now() })),
  )
