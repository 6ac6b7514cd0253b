import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import type { TokenHolder } from './respond.rules.ts'
import type { NewResponse } from './respond.schemas.ts'

export type SubmissionResult =
  | { status: 'partial'; saved_at: Date }
  | { status: 'completed'; thank_you: string | null; isReplayed: boolean }

/** A response to store. The survey is locked, and the invitation too unless the survey is anonymous. */
export type Submission = {
  survey: SurveyRow
  holder: TokenHolder
  holderHash: Buffer
  language: string
  response: NewResponse
  now: Date
}
