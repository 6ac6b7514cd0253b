import { type Expression, type Selectable, type SqlBool, sql } from 'kysely'
import { type Database, type Page, readPage, type SortOrders, sortOrderOf, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import type { SortedPageQuery } from '#platform/schema'

type Responses = Database['surveys.responses']

const responseColumns = [
  'id',
  'survey_id',
  'invitation_id',
  'contact_id',
  'lead_id',
  'account_id',
  'channel',
  'language',
  'score',
  'sentiment',
  'started_at',
  'submitted_at',
  'submitted_on',
  'duration_seconds',
  'lifecycle_stage',
  'segment_ids',
] as const
export type ResponseRow = Pick<Selectable<Responses>, (typeof responseColumns)[number]>

export type SubmittedRow = { body_hash: Buffer | null }
type SubmissionKey = { invitation_id: string } | { survey_id: string; submission_id: string }

export function findSubmission(tx: TenantTx, key: SubmissionKey): Promise<SubmittedRow | undefined> {
  const responses = tx.selectFrom('surveys.responses').select('body_hash')
  return 'invitation_id' in key
    ? responses.where('invitation_id', '=', key.invitation_id).executeTakeFirst()
    : responses.where('survey_id', '=', key.survey_id).where('submission_id', '=', key.submission_id).executeTakeFirst()
}

export function getResponseRow(tx: TenantTx, surveyId: string, id: string): Promise<ResponseRow> {
  return tx
    .selectFrom('surveys.responses')
    .select(responseColumns)
    .where('survey_id', '=', surveyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('response'))
}

export async function deleteResponseRow(tx: TenantTx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('surveys.responses').where('id', '=', id).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export type ResponseFilter = {
  sentiment?: string[]
  channel?: string
  contact_id?: string
  lead_id?: string
  since?: string
  until?: string
}

const orders: SortOrders = { submitted_at: { by: { submitted_at: 'timestamp' } } }

/** Sentiments are one index scan each; other filters have an index of the same order. */
export async function listResponseRows(
  tx: TenantTx,
  surveyId: string,
  { sentiment, ...filters }: ResponseFilter,
  page: SortedPageQuery,
): Promise<Page<ResponseRow>> {
  const { channel, contact_id, lead_id, since, until } = filters
  const conditions: Expression<SqlBool>[] = [sql`surveys.responses.survey_id = ${surveyId}::uuid`]
  if (channel) conditions.push(sql`surveys.responses.channel = ${channel}`)
  if (contact_id) conditions.push(sql`surveys.responses.contact_id = ${contact_id}::uuid`)
  if (lead_id) conditions.push(sql`surveys.responses.lead_id = ${lead_id}::uuid`)
  if (since) conditions.push(sql`surveys.responses.submitted_at >= ${since}::timestamptz`)
  if (until) conditions.push(sql`surveys.responses.submitted_at < ${until}::timestamptz`)
  const scans = [...new Set(sentiment)].map((value) => ({
    conditions: [sql<SqlBool>`surveys.responses.sentiment = ${value}`, ...conditions],
  }))
  const plan = {
    table: 'surveys.responses',
    columns: responseColumns,
    order: sortOrderOf(orders, page.sort ?? '-submitted_at'),
    scans: scans.length ? scans : [{ conditions }],
    filters: { surveyId, sentiment, ...filters },
  }
  return await readPage<ResponseRow>(tx, plan, page)
}

const answerColumns = [
  'response_id',
  'question_id',
  'question_revision',
  'is_answered',
  'value_number',
  'value_text',
  'value_options',
  'value_json',
] as const

export type AnswerRow = {
  response_id: string
  question_id: string
  question_revision: number
  is_answered: boolean
  value_number: number | null
  value_text: string | null
  value_options: string[] | null
  value_json: Record<string, string> | null
}

export function listAnswers(tx: TenantTx, responseIds: readonly string[]): Promise<AnswerRow[]> {
  return tx
    .selectFrom('surveys.answers')
    .select(answerColumns)
    .where('response_id', '=', sql<string>`any(${responseIds}::uuid[])`)
    .$castTo<AnswerRow>()
    .execute()
}

export type AnswerStatRow = { question_id: string; day: string; bucket: string; n: number; sum: number }
export type ScoreStatRow = { day: string; dim: string; dim_value: string; score: number; n: number }

/** Adds to the figures of a survey; negative numbers take back. The caller holds the lock of its counters. */
export async function addAnswerStats(tx: TenantTx, surveyId: string, rows: readonly AnswerStatRow[]): Promise<void> {
  if (!rows.length) return
  await sql`
    insert into surveys.answer_stats as known (survey_id, question_id, day, bucket, n, sum)
    select ${surveyId}::uuid, question_id, day, bucket, n, sum
    from json_to_recordset(${JSON.stringify(rows)}::json) as added (question_id uuid, day date, bucket text, n bigint, sum numeric)
    on conflict (tenant_id, survey_id, question_id, day, bucket)
    do update set n = known.n + excluded.n, sum = known.sum + excluded.sum
  `.execute(tx)
}

export async function addScoreStats(tx: TenantTx, surveyId: string, rows: readonly ScoreStatRow[]): Promise<void> {
  if (!rows.length) return
  await sql`
    insert into surveys.score_stats as known (survey_id, day, dim, dim_value, score, n)
    select ${surveyId}::uuid, day, dim, dim_value, score, n
    from json_to_recordset(${JSON.stringify(rows)}::json) as added (day date, dim text, dim_value text, score smallint, n bigint)
    on conflict (tenant_id, survey_id, day, dim, dim_value, score) do update set n = known.n + excluded.n
  `.execute(tx)
}
