import { listLedUserIds } from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import { isReviewedByCoaches, listPromptReviewers, type PromptReviewers } from '../prompts/reviewers.service.ts'
import { summarizeSubmissions } from '../submissions/present-submission.service.ts'
import type { SubmissionSummary } from '../submissions/submissions.schemas.ts'
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
    listPromptReviewers(tx),
    coachesAll ? [] : listLedUserIds(tx, userId),
  ])
  const isListed = ({ activeIds }: PromptReviewers) => activeIds.includes(userId)
  const closed = prompts.filter((prompt) => !isListed(prompt) && prompt.activeIds.length >= prompt.needed)
  return {
    userId,
    coachesAll,
    ledUserIds,
    promptIds: prompts.filter(isListed).map(({ promptId }) => promptId),
    closedPromptIds: closed.map(({ promptId }) => promptId),
    openTakes: closed.flatMap((prompt) =>
      prompt.activeIds
        .filter((authorId) => isReviewedByCoaches(prompt, authorId))
        .map((authorId) => ({ promptId: prompt.promptId, authorId })),
    ),
  }
}
