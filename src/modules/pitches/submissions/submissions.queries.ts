import { type Insertable, sql, type Updateable } from 'kysely'
import {
  acquireAdvisoryLock,
  type Condition,
  type Database,
  type Page,
  readPage,
  type SortOrders,
  sortOrderOf,
  type TenantTx,
} from '#platform/db'
import { notFound } from '#platform/errors'
import { type SubmissionRow, submissionColumns } from './submission-row.ts'
import type { MySubmissionsQuery } from './submissions.schemas.ts'

type Submissions = Database['enablement.pitch_submissions']

const orders: SortOrders = { created_at: { by: { created_at: 'timestamp' } } }

/** The filters are not in the index, but it is the user's own part of it that they filter. */
export async function listSubmissionRows(
  tx: TenantTx,
  { userId, seesPrivate }: { userId: string; seesPrivate: boolean },
  { limit, offset, cursor, count, sort = '-created_at', ...filters }: MySubmissionsQuery,
): Promise<Page<SubmissionRow>> {
  const conditions: Condition[] = [
    sql`enablement.pitch_submissions.user_id = ${userId}::uuid`,
    sql`enablement.pitch_submissions.deleted_at is null`,
  ]
  if (!seesPrivate)
    conditions.push(
      sql`(not enablement.pitch_submissions.is_practice or enablement.pitch_submissions.review_requested)`,
    )
  if (filters.prompt_id) conditions.push(sql`enablement.pitch_submissions.prompt_id = ${filters.prompt_id}::uuid`)
  if (filters.status) conditions.push(sql`enablement.pitch_submissions.status = ${filters.status}`)
  const plan = {
    table: 'enablement.pitch_submissions',
    columns: submissionColumns,
    order: sortOrderOf(orders, sort),
    scans: [{ conditions }],
    filters,
  }
  return await readPage<SubmissionRow>(tx, plan, { limit, offset, cursor, count })
}

/** The number of the next take follows from the takes of the user. */
export const lockTakesOfUser = (tx: TenantTx, userId: string): Promise<void> =>
  acquireAdvisoryLock(tx, `pitch_takes:${userId}`)

/** Deleted takes count too, so that a take cannot be repeated without limit. */
export async function readTakes(
  tx: TenantTx,
  promptId: string,
  userId: string,
): Promise<{ last: number; draft_id: string | null }> {
  return await tx
    .selectFrom('enablement.pitch_submissions')
    .select([
      sql<number>`coalesce(max(take_no), 0)`.as('last'),
      sql<string | null>`(array_agg(id) filter (where status = 'draft'))[1]`.as('draft_id'),
    ])
    .where('prompt_id', '=', promptId)
    .where('user_id', '=', userId)
    .where('is_practice', '=', false)
    .executeTakeFirstOrThrow()
}

const selectSubmission = (tx: TenantTx, id: string) =>
  tx
    .selectFrom('enablement.pitch_submissions')
    .select(submissionColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$castTo<SubmissionRow>()

export const findSubmission = (tx: TenantTx, id: string): Promise<SubmissionRow | undefined> =>
  selectSubmission(tx, id).executeTakeFirst()

export const lockSubmission = (tx: TenantTx, id: string): Promise<SubmissionRow> =>
  selectSubmission(tx, id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('submission'))

export const lockSubmissionShared = (tx: TenantTx, id: string): Promise<SubmissionRow> =>
  selectSubmission(tx, id)
    .forShare()
    .executeTakeFirstOrThrow(() => notFound('submission'))

export const findSubmissionByFile = (tx: TenantTx, fileId: string): Promise<SubmissionRow | undefined> =>
  tx
    .selectFrom('enablement.pitch_submissions')
    .select(submissionColumns)
    .where('file_id', '=', fileId)
    .where('deleted_at', 'is', null)
    .$castTo<SubmissionRow>()
    .executeTakeFirst()

export const insertSubmission = (tx: TenantTx, submission: Insertable<Submissions>): Promise<SubmissionRow> =>
  tx
    .insertInto('enablement.pitch_submissions')
    .values(submission)
    .returning(submissionColumns)
    .$castTo<SubmissionRow>()
    .executeTakeFirstOrThrow()

export const updateSubmissionRow = (
  tx: TenantTx,
  id: string,
  fields: Updateable<Submissions>,
): Promise<SubmissionRow> =>
  tx
    .updateTable('enablement.pitch_submissions')
    .set(fields)
    .where('id', '=', id)
    .returning(submissionColumns)
    .$castTo<SubmissionRow>()
    .executeTakeFirstOrThrow()

export async function deleteSubmissionRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('enablement.pitch_submissions').where('id', '=', id).execute()
}

/** Locks a prompt in the same order as its changes do, also a deleted one, whose submissions are still reviewed. */
export async function lockPromptOfSubmission(
  tx: TenantTx,
  promptId: string,
  { isShared }: { isShared: boolean },
): Promise<void> {
  const prompt = tx.selectFrom('enablement.pitch_prompts').select('id').where('id', '=', promptId)
  await (isShared ? prompt.forShare() : prompt.forNoKeyUpdate()).execute()
}
