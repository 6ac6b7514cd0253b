import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type Takes = { prompt_id: string; takes: number; best_score: number | null }

export async function listTakes(tx: TenantTx, userId: string, promptIds: readonly string[]): Promise<Takes[]> {
  return await tx
    .selectFrom('enablement.pitch_submissions')
    .select([
      'prompt_id',
      sql<number>`count(*)::int`.as('takes'),
      sql<number | null>`max(final_score) filter (where status <> 'draft')::float8`.as('best_score'),
    ])
    .where('prompt_id', '=', sql<string>`any(${promptIds}::uuid[])`)
    .where('user_id', '=', userId)
    .where('is_practice', '=', false)
    .where('deleted_at', 'is', null)
    .groupBy('prompt_id')
    .$castTo<Takes>()
    .execute()
}

export async function hasSubmissions(tx: TenantTx, promptId: string): Promise<boolean> {
  const submission = await tx
    .selectFrom('enablement.pitch_submissions')
    .select('id')
    .where('prompt_id', '=', promptId)
    .limit(1)
    .executeTakeFirst()
  return submission !== undefined
}

/** Locks an exemplar of the prompt, so that its author cannot withdraw it at the same time. */
export async function lockExemplarShared(tx: TenantTx, promptId: string, id: string): Promise<boolean> {
  const submission = await tx
    .selectFrom('enablement.pitch_submissions')
    .select('id')
    .where('id', '=', id)
    .where('prompt_id', '=', promptId)
    .where('is_exemplar', '=', true)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return submission !== undefined
}
