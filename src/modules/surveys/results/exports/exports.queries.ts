import { type Insertable, sql } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import type { StoredAnswer } from '../../responses/answers/stored-answers.rules.ts'

type Exports = Database['surveys.exports']

export async function insertExport(tx: TenantTx, row: Insertable<Exports>): Promise<void> {
  await tx.insertInto('surveys.exports').values(row).execute()
}

export const getExport = (tx: TenantTx, surveyId: string, id: string) =>
  tx
    .selectFrom('surveys.exports')
    .select(['id', 'survey_id', 'file_id', 'expires_at'])
    .where('id', '=', id)
    .where('survey_id', '=', surveyId)
    .executeTakeFirstOrThrow(() => notFound('export'))

type FinishedExport = { file_id: string; row_count: number; expires_at: Date }

export async function updateExport(tx: TenantTx, id: string, finished: FinishedExport): Promise<void> {
  await tx.updateTable('surveys.exports').set(finished).where('id', '=', id).execute()
}

export type ExportedResponse = {
  id: string
  submitted_at: Date
  started_at: Date
  duration_seconds: number | null
  channel: string
  language: string
  score: number | null
  sentiment: string | null
  contact_id: string | null
  lead_id: string | null
  account_id: string | null
  email: string | null
  name: string | null
  /** The keys are ids of questions. */
  answers: Record<string, Omit<StoredAnswer, 'question_id' | 'question_revision'>> | null
}

/** Anonymous responses are in the order of their random ids, the others in the order of time. */
export const selectExportedResponses = (surveyId: string, isAnonymous: boolean) =>
  sql<ExportedResponse>`
    select response.id, response.submitted_at, response.started_at, response.duration_seconds, response.channel, response.language,
      response.score, response.sentiment, response.contact_id, response.lead_id, response.account_id, invitation.email, invitation.name,
      (select json_object_agg(answer.question_id, json_build_object('is_answered', answer.is_answered,
          'value_number', answer.value_number, 'value_text', answer.value_text, 'value_options', answer.value_options,
          'value_json', answer.value_json))
        from surveys.answers answer where answer.response_id = response.id) as answers
    from surveys.responses response
    left join surveys.invitations invitation on invitation.id = response.invitation_id
    where response.survey_id = ${surveyId}::uuid
    order by ${isAnonymous ? sql`response.id` : sql`response.submitted_at, response.id`}`

export async function listExportFileIds(tx: TenantTx): Promise<string[]> {
  const rows = await tx.selectFrom('surveys.exports').select('file_id').where('file_id', 'is not', null).execute()
  return rows.map(({ file_id }) => file_id!)
}
