import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { AnswerValues } from '../../design/conditions/visible-path.rules.ts'

export type DraftRow = { answers: AnswerValues; language: string; started_at: Date; expires_at: Date }

export function findDraft(tx: TenantTx, holderHash: Buffer): Promise<DraftRow | undefined> {
  return tx
    .selectFrom('surveys.drafts')
    .select(['answers', 'language', 'started_at', 'expires_at'])
    .where('holder_hash', '=', holderHash)
    .$castTo<DraftRow>()
    .executeTakeFirst()
}

type NewDraft = DraftRow & { holder_hash: Buffer; survey_id: string; saved_at: Date }

/** Keeps the time of the first save. */
export async function upsertDraft(tx: TenantTx, { answers, ...draft }: NewDraft): Promise<void> {
  const json = JSON.stringify(answers)
  const { language, saved_at, expires_at } = draft
  await tx
    .insertInto('surveys.drafts')
    .values({ ...draft, answers: json })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'holder_hash']).doUpdateSet({ answers: json, language, saved_at, expires_at }),
    )
    .execute()
}

export function deleteDraft(tx: TenantTx, holderHash: Buffer): Promise<{ started_at: Date } | undefined> {
  return tx
    .deleteFrom('surveys.drafts')
    .where('holder_hash', '=', holderHash)
    .returning('started_at')
    .executeTakeFirst()
}

export async function hasUsedToken(tx: TenantTx, holderHash: Buffer): Promise<boolean> {
  const used = await tx
    .selectFrom('surveys.used_tokens')
    .select('survey_id')
    .where('holder_hash', '=', holderHash)
    .executeTakeFirst()
  return used !== undefined
}

/** Returns false if the token was used before. Waits for a concurrent use to commit. */
export async function insertUsedToken(tx: TenantTx, surveyId: string, holderHash: Buffer): Promise<boolean> {
  const inserted = await tx
    .insertInto('surveys.used_tokens')
    .values({ survey_id: surveyId, holder_hash: holderHash })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'holder_hash']).doNothing())
    .returning('survey_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Deletes up to `limit` drafts and as many used tokens of a closed survey; returns the larger number. */
export async function deleteRespondentRows(tx: TenantTx, surveyId: string, limit: number): Promise<number> {
  const deleteFrom = (table: 'drafts' | 'used_tokens') =>
    sql`
      delete from ${sql.table(`surveys.${table}`)} where holder_hash = any (array(
        select holder_hash from ${sql.table(`surveys.${table}`)}
        where survey_id = ${surveyId}::uuid limit ${limit}::integer))
    `.execute(tx)
  const [drafts, tokens] = [await deleteFrom('drafts'), await deleteFrom('used_tokens')]
  return Math.max(Number(drafts.numAffectedRows ?? 0), Number(tokens.numAffectedRows ?? 0))
}
