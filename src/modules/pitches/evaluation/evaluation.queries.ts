import { type SqlBool, sql, type Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { type SubmissionRow, submissionColumns } from '../submissions/submission-row.ts'

type Submissions = Database['enablement.pitch_submissions']

type Claim = { claimId: string; now: Date; until: Date }

/** An evaluation is running if a task waits or works, or a request holds a claim that has not expired. */
const isFree = (now: Date) =>
  sql<SqlBool>`(evaluation_state not in ('queued', 'running') or (task_id is null and claimed_until <= ${now}))`

/** Claims the evaluation for a request. Undefined if another request or a task evaluates the submission. */
export const claimEvaluation = (
  tx: TenantTx,
  id: string,
  { claimId, now, until }: Claim,
): Promise<SubmissionRow | undefined> =>
  tx
    .updateTable('enablement.pitch_submissions')
    .set({ evaluation_state: 'running', evaluation_error: null, claim_id: claimId, claimed_until: until })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(isFree(now))
    .returning(submissionColumns)
    .$castTo<SubmissionRow>()
    .executeTakeFirst()

/** Reserves the evaluation for a task. */
export const queueEvaluation = (
  tx: TenantTx,
  id: string,
  { taskId, now }: { taskId: string; now: Date },
): Promise<SubmissionRow | undefined> =>
  tx
    .updateTable('enablement.pitch_submissions')
    .set({ evaluation_state: 'queued', evaluation_error: null, task_id: taskId, claim_id: null, claimed_until: null })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(isFree(now))
    .returning(submissionColumns)
    .$castTo<SubmissionRow>()
    .executeTakeFirst()

/** Ends a claim without a result, so that the next request need not wait for its expiry. */
export async function releaseEvaluation(tx: TenantTx, id: string, claimId: string): Promise<void> {
  await tx
    .updateTable('enablement.pitch_submissions')
    .set({
      evaluation_state: sql<string>`case when evaluation is null then 'none' else 'done' end`,
      claim_id: null,
      claimed_until: null,
    })
    .where('id', '=', id)
    .where('claim_id', '=', claimId)
    .execute()
}

/** Changes a submission whose evaluation the request or the task still holds. */
export const updateClaimedSubmission = (
  tx: TenantTx,
  id: string,
  holder: { claimId: string } | { taskId: string },
  fields: Updateable<Submissions>,
): Promise<SubmissionRow | undefined> =>
  tx
    .updateTable('enablement.pitch_submissions')
    .set(fields)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where((eb) => ('claimId' in holder ? eb('claim_id', '=', holder.claimId) : eb('task_id', '=', holder.taskId)))
    .returning(submissionColumns)
    .$castTo<SubmissionRow>()
    .executeTakeFirst()
