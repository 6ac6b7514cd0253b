import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { type SurveyRow, surveyColumns } from './survey-row.ts'

type Surveys = Database['surveys.surveys']

const selectSurvey = (tx: TenantTx, id: string) =>
  tx.selectFrom('surveys.surveys').select(surveyColumns).where('id', '=', id).$castTo<SurveyRow>()

export const getSurveyRow = (tx: TenantTx, id: string): Promise<SurveyRow> =>
  selectSurvey(tx, id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow(() => notFound('survey'))

export const findSurveyIncludingDeleted = (tx: TenantTx, id: string): Promise<SurveyRow | undefined> =>
  selectSurvey(tx, id).executeTakeFirst()

export const lockSurvey = (tx: TenantTx, id: string): Promise<SurveyRow> =>
  selectSurvey(tx, id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('survey'))

export const lockSurveyIncludingDeleted = (tx: TenantTx, id: string): Promise<SurveyRow> =>
  selectSurvey(tx, id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('survey'))

/** Responses hold this lock, so that questions and state do not change while answers are checked and stored. */
export const lockSurveyShared = (tx: TenantTx, id: string): Promise<SurveyRow> =>
  selectSurvey(tx, id)
    .forShare()
    .executeTakeFirstOrThrow(() => notFound('survey'))

export function listSurveysByIds(tx: TenantTx, ids: readonly string[]): Promise<SurveyRow[]> {
  return tx
    .selectFrom('surveys.surveys')
    .select(surveyColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .$castTo<SurveyRow>()
    .execute()
}

export async function insertSurvey(tx: TenantTx, survey: Insertable<Surveys>): Promise<SurveyRow> {
  return await tx
    .insertInto('surveys.surveys')
    .values(survey)
    .returning(surveyColumns)
    .$castTo<SurveyRow>()
    .executeTakeFirstOrThrow()
}

export async function updateSurveyRow(tx: TenantTx, id: string, fields: Updateable<Surveys>): Promise<SurveyRow> {
  return await tx
    .updateTable('surveys.surveys')
    .set(fields)
    .where('id', '=', id)
    .returning(surveyColumns)
    .$castTo<SurveyRow>()
    .executeTakeFirstOrThrow()
}

/** Increments the version, because a part of the survey changed. */
export const touchSurvey = (tx: TenantTx, id: string): Promise<SurveyRow> =>
  tx
    .updateTable('surveys.surveys')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', id)
    .returning(surveyColumns)
    .$castTo<SurveyRow>()
    .executeTakeFirstOrThrow()

export async function deleteSurveyRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('surveys.surveys').where('id', '=', id).execute()
}
