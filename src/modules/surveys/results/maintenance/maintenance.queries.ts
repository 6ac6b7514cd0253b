import { sql } from 'kysely'
import { listTenantsAsRetention, listTenantsWithRows, type SystemTx, type TenantTx } from '#platform/db'

const isDue = (now: Date) => sql<boolean>`status in ('active', 'paused') and closes_at <= ${now} and deleted_at is null`

export const listTenantsWithDueSurveys = (system: SystemTx, now: Date): Promise<string[]> =>
  listTenantsAsRetention(system, async (tx) => {
    const { rows } = await sql<{ tenant_id: string }>`
      select distinct tenant_id from surveys.surveys where ${isDue(now)}
    `.execute(tx)
    return rows.map(({ tenant_id }) => tenant_id)
  })

export async function listDueSurveyIds(tx: TenantTx, now: Date, limit: number): Promise<string[]> {
  const surveys = await tx
    .selectFrom('surveys.surveys')
    .select('id')
    .where(isDue(now))
    .orderBy('closes_at')
    .limit(limit)
    .execute()
  return surveys.map(({ id }) => id)
}

export const listTenantsWithDeletedSurveys = (system: SystemTx, before: Date): Promise<string[]> =>
  listTenantsAsRetention(system, (tx) => listTenantsWithRows(tx, 'surveys.surveys', sql`deleted_at < ${before}`))

export async function findPurgeableSurveyId(tx: TenantTx, before: Date): Promise<string | undefined> {
  const survey = await tx
    .selectFrom('surveys.surveys')
    .select('id')
    .where('deleted_at', '<', before)
    .orderBy('deleted_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return survey?.id
}

/** Deletes a batch of responses of a deleted survey with their answers, then of its invitations. Returns how many. */
export async function deleteSurveyRows(tx: TenantTx, surveyId: string, limit: number): Promise<number> {
  const deleteFrom = async (table: 'responses' | 'unreleased_responses' | 'invitations') => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(`surveys.${table}`)} where id = any (array(
        select id from ${sql.table(`surveys.${table}`)} where survey_id = ${surveyId}::uuid limit ${limit}::integer))
    `.execute(tx)
    return Number(numAffectedRows ?? 0)
  }
  return (
    (await deleteFrom('responses')) + (await deleteFrom('unreleased_responses')) + (await deleteFrom('invitations'))
  )
}
