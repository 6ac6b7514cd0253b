import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

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
