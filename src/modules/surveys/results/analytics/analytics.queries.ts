import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type StatRange = { from?: string | undefined; to?: string | undefined }

const isInRange = ({ from, to }: StatRange) =>
  sql<boolean>`day between ${from ?? '1900-01-01'}::date and ${to ?? '2199-12-31'}::date`

export type AnswerSum = { question_id: string; bucket: string; n: number; average: number }

/** Sums per question and bucket; `average` is exact to two decimals. */
export async function listAnswerSums(tx: TenantTx, surveyId: string, range: StatRange): Promise<AnswerSum[]> {
  const sums = sql<AnswerSum>`(
    select question_id, bucket, sum(n)::bigint as n, round(sum(sum) / sum(n), 2)::float8 as average
    from surveys.answer_stats where survey_id = ${surveyId}::uuid and ${isInRange(range)}
    group by question_id, bucket having sum(n) > 0)`
  const rows = await tx
    .selectFrom(sums.as('sums'))
    .select(['sums.question_id', 'sums.bucket', 'sums.n', 'sums.average'])
    .execute()
  return rows.map((row) => ({ ...row, n: Number(row.n) }))
}

export type ScoreSum = { dim_value: string; score: number; n: number }

export async function listScoreSums(
  tx: TenantTx,
  surveyId: string,
  dim: string,
  range: StatRange,
): Promise<ScoreSum[]> {
  const sums = sql<ScoreSum>`(
    select dim_value, score, sum(n)::bigint as n from surveys.score_stats
    where survey_id = ${surveyId}::uuid and dim = ${dim} and ${isInRange(range)}
    group by dim_value, score having sum(n) > 0)`
  const rows = await tx.selectFrom(sums.as('sums')).select(['sums.dim_value', 'sums.score', 'sums.n']).execute()
  return rows.map((row) => ({ ...row, n: Number(row.n) }))
}

export type DayScore = { day: string; score: number; n: number }

export async function listDayScores(tx: TenantTx, surveyId: string, range: StatRange): Promise<DayScore[]> {
  const rows = await tx
    .selectFrom('surveys.score_stats')
    .select(['day', 'score', 'n'])
    .where('survey_id', '=', surveyId)
    .where('dim', '=', sql.lit('all'))
    .where(isInRange(range))
    .where('n', '>', 0)
    .orderBy('day')
    .execute()
  return rows.map((row) => ({ ...row, n: Number(row.n) }))
}

const medianSample = 10_000

const latestResponses = (surveyId: string) => sql`
  select id, duration_seconds from surveys.responses where survey_id = ${surveyId}::uuid
  order by submitted_at desc, id desc limit ${sql.lit(medianSample)}`

export async function findMedianDuration(tx: TenantTx, surveyId: string): Promise<number | null> {
  const median = sql<{ median: number | null }>`(
    select percentile_cont(0.5) within group (order by duration_seconds) as median
    from (${latestResponses(surveyId)}) as latest)`
  const { median: seconds } = await tx.selectFrom(median.as('sample')).select('sample.median').executeTakeFirstOrThrow()
  return seconds
}

/** Medians of numbers that respondents entered, over the latest responses. */
export async function listNumberMedians(
  tx: TenantTx,
  surveyId: string,
  questionIds: readonly string[],
): Promise<Map<string, number>> {
  if (!questionIds.length) return new Map()
  const medians = sql<{ question_id: string; median: number }>`(
    select answer.question_id, percentile_cont(0.5) within group (order by answer.value_number) as median
    from (${latestResponses(surveyId)}) as latest
    join surveys.answers answer on answer.response_id = latest.id
    where answer.question_id = any (${questionIds}::uuid[]) and answer.value_number is not null
    group by answer.question_id)`
  const rows = await tx.selectFrom(medians.as('medians')).select(['medians.question_id', 'medians.median']).execute()
  return new Map(rows.map(({ question_id, median }) => [question_id, median]))
}

const textsPerQuestion = 20

export type LatestText = { question_id: string; text: string }

/** Newest texts per question, in the order of the ids of their responses. */
export async function listLatestTexts(
  tx: TenantTx,
  surveyId: string,
  questionIds: readonly string[],
): Promise<LatestText[]> {
  if (!questionIds.length) return []
  const texts = sql<LatestText>`(
    select question.id as question_id, answer.value_text as text
    from unnest(${questionIds}::uuid[]) as question (id)
    cross join lateral (
      select value_text, response_id from surveys.answers
      where survey_id = ${surveyId}::uuid and question_id = question.id and value_text is not null
      order by response_id desc limit ${sql.lit(textsPerQuestion)}) as answer
    order by question.id, answer.response_id desc)`
  return await tx.selectFrom(texts.as('texts')).select(['texts.question_id', 'texts.text']).execute()
}

type InstantRange = { since: string | undefined; until: string | undefined }

/** Newest texts per question among the latest responses of a range. */
export async function listLatestTextsBetween(
  tx: TenantTx,
  surveyId: string,
  questionIds: readonly string[],
  { since = '1900-01-01', until = '2200-01-01' }: InstantRange,
): Promise<LatestText[]> {
  if (!questionIds.length) return []
  const texts = sql<LatestText>`(
    select question_id, text from (
      select answer.question_id, answer.value_text as text, response.submitted_at, response.id,
        row_number() over (partition by answer.question_id order by response.submitted_at desc, response.id desc) as position
      from (
        select id, submitted_at from surveys.responses
        where survey_id = ${surveyId}::uuid and submitted_at >= ${since}::timestamptz and submitted_at < ${until}::timestamptz
        order by submitted_at desc, id desc limit ${sql.lit(medianSample)}) as response
      join surveys.answers answer on answer.response_id = response.id
      where answer.question_id = any (${questionIds}::uuid[]) and answer.value_text is not null) as ranked
    where position <= ${sql.lit(textsPerQuestion)}
    order by question_id, submitted_at desc, id desc)`
  return await tx.selectFrom(texts.as('texts')).select(['texts.question_id', 'texts.text']).execute()
}

export async function findLastSubmittedOn(tx: TenantTx, surveyId: string): Promise<string | null> {
  const response = await tx
    .selectFrom('surveys.responses')
    .select('submitted_on')
    .where('survey_id', '=', surveyId)
    .orderBy('submitted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst()
  return response?.submitted_on ?? null
}
