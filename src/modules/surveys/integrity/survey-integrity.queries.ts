import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** The counters of surveys as their rows give them. A closed anonymous survey has no row of a response that must not be shown. */
const recounted = (ids: RawBuilder<unknown>) => sql`
  select survey.id as survey_id,
    (select count(*) from surveys.invitations where survey_id = survey.id)::integer as invited,
    coalesce(own.invited, 0) + coalesce(waiting.invited, 0) as completed_invited,
    coalesce(own.linked, 0) + coalesce(waiting.linked, 0) as completed_link,
    coalesce(waiting.n, 0) as unreleased,
    array(select coalesce(scored.n, 0) from generate_series(0, 10) as score
      left join (select score, count(*)::integer as n from (
          select score from surveys.responses where survey_id = survey.id
          union all select score from surveys.unreleased_responses where survey_id = survey.id and is_counted) as counted
        where score is not null group by score) as scored using (score)
      order by score) as score_counts
  from surveys.surveys as survey
  left join (select survey_id, count(*) filter (where channel = 'email')::integer as invited,
      count(*) filter (where channel = 'link')::integer as linked
    from surveys.responses group by survey_id) as own on own.survey_id = survey.id
  left join (select survey_id, count(*) filter (where not is_counted)::integer as n,
      count(*) filter (where channel = 'email')::integer as invited, count(*) filter (where channel = 'link')::integer as linked
    from surveys.unreleased_responses group by survey_id) as waiting on waiting.survey_id = survey.id
  where survey.deleted_at is null and not (survey.anonymous and survey.status = 'closed') and ${ids}`

const differs = sql`(known.invited, known.completed_invited, known.completed_link, known.unreleased, known.score_counts)
  is distinct from (actual.invited, actual.completed_invited, actual.completed_link, actual.unreleased, actual.score_counts)`

export async function findSurveysWithDrift(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select known.survey_id as id from surveys.counters as known
    join (${recounted(sql`true`)}) as actual using (survey_id)
    where ${differs} limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

export async function lockCounterRows(tx: TenantTx, surveyIds: readonly string[]): Promise<void> {
  await sql`
    select survey_id from surveys.counters where survey_id = any (${surveyIds}::uuid[])
    order by survey_id for no key update
  `.execute(tx)
}

export async function recountSurveys(tx: TenantTx, surveyIds: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update surveys.counters as known set invited = actual.invited, completed_invited = actual.completed_invited,
      completed_link = actual.completed_link, unreleased = actual.unreleased, score_counts = actual.score_counts,
      started = greatest(known.started, actual.completed_invited + actual.completed_link)
    from (${recounted(sql`survey.id = any (${surveyIds}::uuid[])`)}) as actual
    where known.survey_id = actual.survey_id and ${differs}
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export async function findResponsesWithoutAnswers(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from surveys.responses as response
    where not exists (select from surveys.answers where response_id = response.id)
    order by id limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}
