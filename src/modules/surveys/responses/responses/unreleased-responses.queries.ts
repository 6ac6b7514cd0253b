import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import type { StoredAnswer } from '../answers/stored-answers.rules.ts'

export type UnreleasedRow = {
  id: string
  survey_id: string
  channel: 'email' | 'link'
  /** An invited contact or lead. */
  is_person: boolean
  /** The score is part of the score of the open survey. */
  is_counted: boolean
  language: string
  score: number | null
  sentiment: string | null
  submitted_on: string
  lifecycle_stage: string | null
  answers: StoredAnswer[]
}

export async function insertUnreleased(tx: TenantTx, responses: readonly UnreleasedRow[]): Promise<void> {
  const { columns, rows } = selectRows(responses, {
    id: 'uuid',
    survey_id: 'uuid',
    channel: 'text',
    is_person: 'boolean',
    is_counted: 'boolean',
    language: 'text',
    score: 'integer',
    sentiment: 'text',
    submitted_on: 'date',
    lifecycle_stage: 'text',
    answers: 'jsonb',
  })
  await tx.insertInto('surveys.unreleased_responses').columns(columns).expression(rows).execute()
}

const columns = sql`id, survey_id, channel, is_person, is_counted, language, score, sentiment, submitted_on, lifecycle_stage, answers`

/** Counts scores that are not part of the score yet, of contacts and leads and of the public link. */
export async function countWaitingScores(
  tx: TenantTx,
  surveyId: string,
): Promise<{ channel: 'email' | 'link'; waiting: number }[]> {
  const { rows } = await sql<{ channel: 'email' | 'link'; waiting: number }>`
    select channel, count(*) filter (where is_person or channel = 'link')::integer as waiting from surveys.unreleased_responses
    where survey_id = ${surveyId}::uuid and not is_counted and score is not null group by channel order by channel
  `.execute(tx)
  return rows
}

/** Takes this number of waiting scores at random, and all of other addresses, which no number hides. */
export async function takeWaitingScores(
  tx: TenantTx,
  surveyId: string,
  channel: 'email' | 'link',
  limit: number,
): Promise<UnreleasedRow[]> {
  const waiting = sql`
    select id from surveys.unreleased_responses
    where survey_id = ${surveyId}::uuid and not is_counted and score is not null and channel = ${channel}`
  const { rows } = await sql<UnreleasedRow>`
    delete from surveys.unreleased_responses
    where id = any (array(
      (${waiting} and (is_person or channel = 'link') order by random() limit ${limit}::integer)
      union all (${waiting} and not is_person and channel = 'email')))
    returning ${columns}
  `.execute(tx)
  return rows
}

export async function takeUnreleased(tx: TenantTx, surveyId: string): Promise<UnreleasedRow[]> {
  const { rows } = await sql<UnreleasedRow>`
    delete from surveys.unreleased_responses where survey_id = ${surveyId}::uuid returning ${columns}
  `.execute(tx)
  return rows
}

export async function countUnreleased(tx: TenantTx, surveyId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from surveys.unreleased_responses where survey_id = ${surveyId}::uuid
  `.execute(tx)
  return rows[0]!.n
}

/** The day on which scores became part of the score of the open survey. */
export async function findLastCountedOn(tx: TenantTx, surveyId: string): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select max(submitted_on) as day from surveys.unreleased_responses where survey_id = ${surveyId}::uuid and is_counted
  `.execute(tx)
  return rows[0]!.day
}
