import type { Selectable } from 'kysely'
import type { Database } from '#platform/db'
import type { AskedQuestion } from './question-spec.ts'
import type { Answer } from './questions.schemas.ts'

export const attemptStates = ['open', 'submitted', 'expired'] as const
export type AttemptState = (typeof attemptStates)[number]

export const attemptColumns = [
  'id',
  'enrollment_id',
  'module_id',
  'number',
  'state',
  'questions',
  'answers',
  'started_at',
  'deadline_at',
  'submitted_at',
  'earned',
  'possible',
  'score',
  'passed',
] as const

type Columns = Selectable<Database['enablement.quiz_attempts']>
type TypedColumns = { state: AttemptState; questions: AskedQuestion[]; answers: Answer[] }
export type AttemptRow = Omit<Pick<Columns, (typeof attemptColumns)[number]>, keyof TypedColumns> & TypedColumns
