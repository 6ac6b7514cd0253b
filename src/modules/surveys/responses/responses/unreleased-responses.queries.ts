import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type UnreleasedRow = {
  id: string
  survey_id: string
  channel: string
  language: string
  score: number | null
  sentiment: string | null
  submitted_on: string
  lifecycle_stage: string | null
  segment_ids: string[]
  answers: object[]
}

export async function insertUnreleased(tx: TenantTx, { answers, ...row }: UnreleasedRow): Promise<void> {
  await tx
    .insertInto('surveys.unreleased_responses')
    .values({ ...row, answers: JSON.stringify(answers) })
    .execute()
}

export async function countUnreleased(
  tx: TenantTx,
  surveyId: string,
): Promise<{ channel: 'email' | 'link'; waiting: number }[]> {
  const { rows } = await sql<{ channel: 'email' | 'link'; waiting: number }>`
    select channel, count(*)::integer as waiting from surveys.unreleased_responses
    where survey_id = ${surveyId}::uuid group by channel order by channel
  `.execute(tx)
  return rows
}

export async function takeUnreleased(
  tx: TenantTx,
  surveyId: string,
  channel: 'email' | 'link',
  limit: number,
): Promise<UnreleasedRow[]> {
  const { rows } = await sql<UnreleasedRow>`
    delete from surveys.unreleased_responses
    where id = any (array(
      select id from surveys.unreleased_responses where survey_id = ${surveyId}::uuid and channel = ${channel}
      order by random() limit ${limit}::integer))
    returning id, survey_id, channel, language, score, sentiment, submitted_on, lifecycle_stage, segment_ids, answers
  `.execute(tx)
  return rows
}

/** Deletes the content of responses that are never released. Their rows still count. */
export async function blankUnreleased(tx: TenantTx, surveyId: string): Promise<void> {
  await tx
    .updateTable('surveys.unreleased_responses')
    .set({ answers: '[]', score: null, sentiment: null, lifecycle_stage: null, segment_ids: [] })
    .where('survey_id', '=', surveyId)
    .execute()
}
