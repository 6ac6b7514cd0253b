import { retryOnContention, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { defineJob, defineJobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { refreshEnrollment } from '../progress/record-progress.service.ts'
import { lockEnrollments } from '../records/enrollments.queries.ts'
import { listPathsIncludingDeleted } from '../records/paths.queries.ts'
import { listCompletableIds } from './apply-modules.queries.ts'

const batchSize = 100

export const completeEnrollmentsJob = defineJob('enablement.complete_enrollments', 'events', strict({ path_id: Id }))

/** Completes enrollments after a change of their path, and issues their certificates. A second run finds nothing. */
export const completeEnrollmentsHandler = ({ clock }: Pick<Services, 'clock'>) =>
  defineJobHandler(completeEnrollmentsJob, async ({ inTenant, signal }, { path_id }) => {
    let after: string | undefined = nilUuid
    while (after !== undefined) {
      signal.throwIfAborted()
      const batch: Batch = { after, now: clock.now() }
      after = await retryOnContention(() => inTenant((tx) => completeBatch(tx, path_id, batch)), signal)
    }
  })

type Batch = { after: string; now: Date }

async function completeBatch(tx: TenantTx, pathId: string, { after, now }: Batch): Promise<string | undefined> {
  const ids = await listCompletableIds(tx, pathId, { after, limit: batchSize })
  const [path] = await listPathsIncludingDeleted(tx, [pathId])
  if (!path) return undefined
  for (const enrollment of await lockEnrollments(tx, ids))
    await refreshEnrollment(tx, { enrollment, path, now }, { hasActivity: false })
  return ids.length === batchSize ? ids.at(-1) : undefined
}
