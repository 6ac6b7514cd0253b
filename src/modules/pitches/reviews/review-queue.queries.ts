import { sql } from 'kysely'
import { type Condition, type Page, readPage, type SortOrders, sortOrderOf, type TenantTx } from '#platform/db'
import { type SubmissionRow, submissionColumns } from '../submissions/submission-row.ts'
import type { ReviewQueueQuery } from './reviews.schemas.ts'

export type Reviewer = {
  userId: string
  coachesAll: boolean
  ledUserIds: readonly string[]
  /** Prompts that list the user as a reviewer. */
  promptIds: readonly string[]
  /** Prompts that list enough other users. */
  closedPromptIds: readonly string[]
  /** Takes of these prompts that coaches review, because their author is one of the listed users. */
  openTakes: readonly { promptId: string; authorId: string }[]
}

const orders: SortOrders = { due_on: { by: { due_order: 'date', submitted_at: 'timestamp' } } }
const maxScans = 50

/** Same condition as `isReviewer` of `readAccess`, as index scans that do not overlap. */
export async function listQueueRows(
  tx: TenantTx,
  reviewer: Reviewer,
  { limit, offset, cursor, count, include_practice = false, sort = 'due_on' }: ReviewQueueQuery,
): Promise<Page<SubmissionRow>> {
  const { userId } = reviewer
  const shared: Condition[] = [
    sql`enablement.pitch_submissions.status = 'submitted'`,
    sql`enablement.pitch_submissions.deleted_at is null`,
    sql`enablement.pitch_submissions.user_id <> ${userId}::uuid`,
    sql`not exists (select from enablement.pitch_reviews review
      where review.submission_id = enablement.pitch_submissions.id and review.reviewer_id = ${userId}::uuid)`,
    include_practice
      ? sql`(not enablement.pitch_submissions.is_practice or enablement.pitch_submissions.review_requested)`
      : sql`not enablement.pitch_submissions.is_practice`,
  ]
  const plan = {
    table: 'enablement.pitch_submissions',
    columns: submissionColumns,
    order: sortOrderOf(orders, sort),
    scans: reviewableScans(reviewer).map((scan) => ({ conditions: [...scan, ...shared] })),
    filters: { include_practice },
  }
  return await readPage<SubmissionRow>(tx, plan, { limit, offset, cursor, count })
}

const isOfPrompt = (id: string): Condition => sql`enablement.pitch_submissions.prompt_id = ${id}::uuid`
const isOfUser = (id: string): Condition => sql`enablement.pitch_submissions.user_id = ${id}::uuid`

function reviewableScans({ coachesAll, ledUserIds, promptIds, closedPromptIds, openTakes }: Reviewer): Condition[][] {
  const listed =
    promptIds.length <= maxScans
      ? promptIds.map((id) => [isOfPrompt(id)])
      : [[sql<boolean>`enablement.pitch_submissions.prompt_id = any (${promptIds}::uuid[])` as Condition]]
  const [openPromptIds, authorIds] = [
    openTakes.map(({ promptId }) => promptId),
    openTakes.map(({ authorId }) => authorId),
  ]
  const isUnlisted: Condition = sql`(enablement.pitch_submissions.prompt_id is null
    or enablement.pitch_submissions.prompt_id <> all (${[...promptIds, ...closedPromptIds]}::uuid[])
    or exists (select from unnest(${openPromptIds}::uuid[], ${authorIds}::uuid[]) as open_take (prompt_id, user_id)
      where open_take.prompt_id = enablement.pitch_submissions.prompt_id
        and open_take.user_id = enablement.pitch_submissions.user_id))`
  if (coachesAll) return [...listed, [isUnlisted]]
  if (ledUserIds.length <= maxScans) return [...listed, ...ledUserIds.map((id) => [isOfUser(id), isUnlisted])]
  const isLed: Condition = sql`enablement.pitch_submissions.user_id = any (${ledUserIds}::uuid[])`
  return [...listed, [isLed, isUnlisted]]
}
