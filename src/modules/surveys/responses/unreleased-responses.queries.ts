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

/** Removes and returns waiting responses, chosen at random. */
export async function takeUnreleased(tx: TenantTx, surveyId: string, limit: number): Promise<UnreleasedRow[]> {
  const { rows } = await sql<UnreleasedRow>`
    delete from surveys.unreleased_responses
    where id = any (array(
      select id from surveys.unreleased_responses where survey_id = ${surveyId}::uuid
      order by random() limit ${limit}::integer))
    returning id, survey_id, channel, language, score, sentiment, submitted_on, lifecycle_stage, segment_ids, answers
  `.execute(tx)
  return rows
}
