import type { Selectable } from 'kysely'
import type { Database } from '#platform/db'
import type { AssignmentSettings, ModuleKind, QuizSettings } from './learning.schemas.ts'

export const moduleColumns = [
  'id',
  'path_id',
  'position',
  'title',
  'kind',
  'is_required',
  'description',
  'estimated_minutes',
  'prerequisite_module_ids',
  'unlock_after_days',
  'unlock_at',
  'content_item_id',
  'body',
  'min_seconds',
  'min_progress',
  'quiz',
  'bank_ids',
  'assignment',
  'scenario_id',
  'prompt_id',
  'min_score',
  'allow_voice',
  'removed_at',
  'created_at',
  'updated_at',
  'version',
] as const

type Columns = Selectable<Database['enablement.learning_modules']>
type TypedColumns = { kind: ModuleKind; quiz: QuizSettings | null; assignment: AssignmentSettings | null }
export type ModuleRow = Omit<Pick<Columns, (typeof moduleColumns)[number]>, keyof TypedColumns> & TypedColumns
export type QuizModule = ModuleRow & { quiz: QuizSettings }
