import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'

export type NewResponseRow = {
  id: string
  survey_id: string
  invitation_id: string | null
  contact_id: string | null
  lead_id: string | null
  account_id: string | null
  channel: string
  language: string
  submission_id: string | null
  body_hash: string | null
  score: number | null
  sentiment: string | null
  started_at: Date | string
  submitted_at: Date | string
  submitted_on: string
  duration_seconds: number | null
  lifecycle_stage: string | null
  segment_ids: string[]
}

/** `body_hash` is in hexadecimal form. */
export async function insertResponses(tx: TenantTx, responses: readonly NewResponseRow[]): Promise<void> {
  await sql`
    insert into surveys.responses (id, survey_id, invitation_id, contact_id, lead_id, account_id, channel, language, submission_id,
      body_hash, score, sentiment, started_at, submitted_at, submitted_on, duration_seconds, lifecycle_stage, segment_ids)
    select id, survey_id, invitation_id, contact_id, lead_id, account_id, channel, language, submission_id,
      decode(body_hash, 'hex'), score, sentiment, started_at, submitted_at, submitted_on, duration_seconds, lifecycle_stage,
      array(select jsonb_array_elements_text(segment_ids)::uuid)
    from json_to_recordset(${JSON.stringify(responses)}::json) as added (id uuid, survey_id uuid, invitation_id uuid,
      contact_id uuid, lead_id uuid, account_id uuid, channel text, language text, submission_id uuid, body_hash text,
      score smallint, sentiment text, started_at timestamptz, submitted_at timestamptz, submitted_on date,
      duration_seconds integer, lifecycle_stage text, segment_ids jsonb)
  `.execute(tx)
}

export type NewAnswerRow = {
  response_id: string
  question_id: string
  survey_id: string
  question_revision: number
  is_answered: boolean
  value_number: number | null
  value_text: string | null
  value_options: string[] | null
  value_json: object | null
}

export async function insertAnswers(tx: TenantTx, answers: readonly NewAnswerRow[]): Promise<void> {
  if (!answers.length) return
  const { columns, rows } = selectRows(answers, {
    response_id: 'uuid',
    question_id: 'uuid',
    survey_id: 'uuid',
    question_revision: 'integer',
    is_answered: 'boolean',
    value_number: 'numeric',
    value_text: 'text',
    value_options: 'text[]',
    value_json: 'jsonb',
  })
  await tx.insertInto('surveys.answers').columns(columns).expression(rows).execute()
}
