import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const columns = ['id', 'survey_id', 'contact_id', 'lead_id', 'channel', 'score', 'sentiment', 'submitted_at'] as const

export const findRespondent = (tx: TenantTx, responseId: string) =>
  tx.selectFrom('surveys.responses').select(columns).where('id', '=', responseId).executeTakeFirst()

/** The newest response of a lead to a survey decides about the points of the lead. */
export const findNewestResponse = (tx: TenantTx, surveyId: string, leadId: string) =>
  tx
    .selectFrom('surveys.responses')
    .select(columns)
    .where('lead_id', '=', leadId)
    .where('survey_id', '=', surveyId)
    .orderBy('submitted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst()
