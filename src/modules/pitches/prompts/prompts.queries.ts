import { type Insertable, sql, type Updateable } from 'kysely'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import {
  type Condition,
  type Database,
  type Page,
  readPage,
  type SortOrders,
  sortOrderOf,
  type TenantTx,
} from '#platform/db'
import { notFound } from '#platform/errors'
import { type PromptRow, promptColumns } from './prompt-row.ts'
import type { PromptQuery } from './prompts.schemas.ts'

type Prompts = Database['enablement.pitch_prompts']

const orders: SortOrders = { created_at: { by: { created_at: 'timestamp' } } }

export async function listPromptRows(
  tx: TenantTx,
  { role, userId }: UserActor,
  { limit, offset, cursor, count, sort = '-created_at', status = 'active' }: PromptQuery,
): Promise<Page<PromptRow>> {
  const conditions: Condition[] = [
    sql`enablement.pitch_prompts.status = ${status}`,
    sql`enablement.pitch_prompts.deleted_at is null`,
  ]
  if (status === 'draft' && !isManagerOrAdmin(role))
    conditions.push(sql`enablement.pitch_prompts.owner_id = ${userId}::uuid`)
  const plan = {
    table: 'enablement.pitch_prompts',
    columns: promptColumns,
    order: sortOrderOf(orders, sort),
    scans: [{ conditions }],
    filters: { status },
  }
  return await readPage<PromptRow>(tx, plan, { limit, offset, cursor, count })
}

const selectPrompt = (tx: TenantTx, id: string) =>
  tx
    .selectFrom('enablement.pitch_prompts')
    .select(promptColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$castTo<PromptRow>()

export const findPrompt = (tx: TenantTx, id: string): Promise<PromptRow | undefined> =>
  selectPrompt(tx, id).executeTakeFirst()

export const lockPrompt = (tx: TenantTx, id: string): Promise<PromptRow> =>
  selectPrompt(tx, id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('prompt'))

/** Prevents that a prompt is deleted while a submission begins to use it. */
export const lockPromptShared = (tx: TenantTx, id: string): Promise<PromptRow | undefined> =>
  selectPrompt(tx, id).forShare().executeTakeFirst()

export const listPromptsByIds = (tx: TenantTx, ids: readonly string[]): Promise<PromptRow[]> =>
  tx
    .selectFrom('enablement.pitch_prompts')
    .select(promptColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .$castTo<PromptRow>()
    .execute()

type Reviewing = Pick<PromptRow, 'id' | 'reviewer_ids' | 'min_reviews'>

/** Reads deleted prompts too, because their submissions are still reviewed. */
export const findReviewing = (tx: TenantTx, id: string): Promise<Reviewing | undefined> =>
  tx
    .selectFrom('enablement.pitch_prompts')
    .select(['id', 'reviewer_ids', 'min_reviews'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Prompts with reviewers of their own. */
export const listReviewing = (tx: TenantTx): Promise<Reviewing[]> =>
  tx
    .selectFrom('enablement.pitch_prompts')
    .select(['id', 'reviewer_ids', 'min_reviews'])
    .where('reviewer_ids', '<>', sql<string[]>`'{}'::uuid[]`)
    .orderBy('id')
    .execute()

export const insertPrompt = (tx: TenantTx, prompt: Insertable<Prompts>): Promise<PromptRow> =>
  tx
    .insertInto('enablement.pitch_prompts')
    .values(prompt)
    .returning(promptColumns)
    .$castTo<PromptRow>()
    .executeTakeFirstOrThrow()

export const updatePromptRow = (tx: TenantTx, id: string, fields: Updateable<Prompts>): Promise<PromptRow> =>
  tx
    .updateTable('enablement.pitch_prompts')
    .set(fields)
    .where('id', '=', id)
    .returning(promptColumns)
    .$castTo<PromptRow>()
    .executeTakeFirstOrThrow()

export async function deletePromptRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('enablement.pitch_prompts').where('id', '=', id).execute()
}

/** Ends the reference of a prompt to a submission that is no longer an exemplar. */
export async function clearExemplar(tx: TenantTx, submissionId: string): Promise<void> {
  await tx
    .updateTable('enablement.pitch_prompts')
    .set({ exemplar_submission_id: null })
    .where('exemplar_submission_id', '=', submissionId)
    .returning('id')
    .execute()
}
