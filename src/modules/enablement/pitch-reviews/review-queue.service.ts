import { listLedUserIds } from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import { listPromptsWithReviewers } from '../pitch-prompts/prompts.queries.ts'
import { summarizeSubmissions } from '../pitch-submissions/present-submission.service.ts'
import type { SubmissionSummary } from '../pitch-submissions/submissions.schemas.ts'
import { listQueueRows, type Reviewer } from './review-queue.queries.ts'
import type { ReviewQueueQuery } from './reviews.schemas.ts'

export async function listPitchReviewQueue(
  tx: TenantTx,
  actor: UserActor,
  query: ReviewQueueQuery,
): Promise<Page<SubmissionSummary>> {
  const page = await listQueueRows(tx, await readReviewer(tx, actor), query)
  return { ...page, items: await summarizeSubmissions(tx, page.items) }
}

async function readReviewer(tx: TenantTx, { userId, role }: UserActor): Promise<Reviewer> {
  const coachesAll = isManagerOrAdmin(role)
  const [prompts, ledUserIds] = await Promise.all([
    listPromptsWithReviewers(tx, userId),
    coachesAll ? [] : listLedUserIds(tx, userId),
  ])
  const idsWhere = (isReviewer: boolean) =>
    prompts.filter(({ is_reviewer }) => is_reviewer === isReviewer).map(({ id }) => id)
  return { userId, coachesAll, ledUserIds, promptIds: idsWhere(true), otherPromptIds: idsWhere(false) }
}
