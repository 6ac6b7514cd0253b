import { mayReadPrivate } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { listOpenAssignments, type OpenAssignment } from '../prompts/assignments.queries.ts'
import { type PitchContext, presentSubmission, summarizeSubmissions } from './present-submission.service.ts'
import { getVisibleSubmission } from './submission-access.service.ts'
import { listSubmissionRows } from './submissions.queries.ts'
import type { MySubmissions, MySubmissionsQuery, PitchAssignment, Submission } from './submissions.schemas.ts'

const maxAssignments = 200

export async function listMyPitchSubmissions(
  tx: TenantTx,
  actor: UserActor,
  query: MySubmissionsQuery,
): Promise<MySubmissions> {
  const { userId } = actor
  const page = await listSubmissionRows(tx, { userId, seesPrivate: mayReadPrivate(actor) }, query)
  const assignments = await listOpenAssignments(tx, userId, maxAssignments)
  return {
    ...page,
    items: await summarizeSubmissions(tx, page.items),
    assignments: assignments.map(presentAssignment),
  }
}

const presentAssignment = ({
  id,
  prompt_id,
  title,
  due_on,
  status,
  takes,
  best_score,
}: OpenAssignment): PitchAssignment => ({
  id,
  prompt_id,
  prompt: { title },
  due_on,
  status,
  takes,
  best_score,
})

export async function getPitchSubmission(
  tx: TenantTx,
  context: PitchContext,
  actor: UserActor,
  id: string,
): Promise<Submission> {
  const { submission, access } = await getVisibleSubmission(tx, actor, id)
  return await presentSubmission(tx, context, actor, submission, access)
}
