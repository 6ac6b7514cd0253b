import type { UserActor } from '#platform/access'
import { inTenant } from '#platform/db'
import type { RequestTransaction } from '#platform/http'
import type { RateLimit } from '#platform/limits'
import type { Services } from '#platform/module'
import { withinPostLimits } from '../posts/post-limits.ts'
import { getThreadAccess } from '../threads/threads.service.ts'
import { createThreadReport as createReportRow } from './create-report.service.ts'
import type { NewThreadReport, OwnThreadReport } from './reports.schemas.ts'

const reportLimit: RateLimit = { name: 'community_reports', limit: 20, windowSeconds: 86_400 }

type Request = {
  actor: UserActor
  inTenant: RequestTransaction
  params: { thread_id: string }
  body: NewThreadReport
  /** Called in the transaction, which stores the response for an idempotent replay. */
  setStatus(status: 200 | 201): void
}

/** Moderators of the room have higher limits, so the room is read before the report is counted. */
export async function createThreadReport(
  { db, limits, clock }: Pick<Services, 'db' | 'limits' | 'clock'>,
  request: Request,
): Promise<OwnThreadReport> {
  const { actor, params, body } = request
  const { access } = await inTenant(db, actor, (tx) => getThreadAccess(tx, actor, params.thread_id))
  const limited = { actor, isModerator: access.isModerator, limits: [reportLimit] }
  return await withinPostLimits(limits, limited, () =>
    request.inTenant(async (tx) => {
      const { report, isNew } = await createReportRow(tx, actor, params.thread_id, body, clock.now())
      request.setStatus(isNew ? 201 : 200)
      return report
    }),
  )
}
