import type { Selectable } from 'kysely'
import type { Database } from '#platform/db'
import type { TextMap } from '../translations/texts.schemas.ts'
import type { SurveyEffects, SurveyEmail } from './survey-details.schemas.ts'
import type { Breakdown } from './survey-privacy.schemas.ts'
import type { ClosedReason, SurveyStatus, SurveyType } from './surveys.schemas.ts'

export const surveyColumns = [
  'id',
  'name',
  'description',
  'survey_type',
  'status',
  'closed_reason',
  'default_language',
  'languages',
  'intro',
  'thank_you',
  'closed_message',
  'anonymous',
  'partial_save',
  'closes_at',
  'response_limit',
  'invitation_ttl_days',
  'reminder_days',
  'min_group_size',
  'breakdown',
  'email',
  'effects',
  'owner_id',
  'campaign_id',
  'activated_at',
  'closed_at',
  'created_by',
  'created_at',
  'updated_at',
  'deleted_at',
  'version',
] as const

type Columns = Selectable<Database['surveys.surveys']>
type TypedColumns = {
  survey_type: SurveyType
  status: SurveyStatus
  breakdown: Breakdown
  closed_reason: ClosedReason | null
  intro: TextMap
  thank_you: TextMap
  closed_message: TextMap
  email: SurveyEmail
  effects: SurveyEffects
}
export type SurveyRow = Omit<Pick<Columns, (typeof surveyColumns)[number]>, keyof TypedColumns> & TypedColumns
