import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { PrimaryQuestion } from './render-survey-email.ts'

export type EmailedInvitation = {
  id: string
  survey_id: string
  email: string | null
  name: string | null
  contact_id: string | null
  lead_id: string | null
  language: string
  status: string
  key_version: number
  expires_at: Date
  distribution_status: string
  subject: string | null
  message: string | null
}

export async function listEmailedInvitations(
  tx: TenantTx,
  ids: readonly string[],
): Promise<Map<string, EmailedInvitation>> {
  const rows = await tx
    .selectFrom('surveys.invitations as invitation')
    .innerJoin('surveys.distributions as distribution', 'distribution.id', 'invitation.distribution_id')
    .select([
      'invitation.id',
      'invitation.survey_id',
      'invitation.email',
      'invitation.name',
      'invitation.contact_id',
      'invitation.lead_id',
      'invitation.language',
      'invitation.status',
      'invitation.key_version',
      'invitation.expires_at',
      'distribution.status as distribution_status',
      'distribution.subject',
      'distribution.message',
    ])
    .where('invitation.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The questions that decide about the score of a survey. */
export async function listPrimaryQuestions(
  tx: TenantTx,
  surveyIds: readonly string[],
): Promise<Map<string, PrimaryQuestion>> {
  const rows = await tx
    .selectFrom('surveys.questions')
    .select(['survey_id', 'question_type', 'title', 'rules'])
    .where('survey_id', '=', sql<string>`any(${surveyIds}::uuid[])`)
    .where('is_primary', '=', true)
    .where('archived_at', 'is', null)
    .$castTo<PrimaryQuestion>()
    .execute()
  return new Map(rows.map((row) => [row.survey_id, row]))
}
