import type { Selectable } from 'kysely'
import type { Database } from '#platform/db'
import type { Fact, Objection, PersonaStyle, PracticeLanguage, Traits, Voice } from './personas.schemas.ts'

export const personaColumns = [
  'id',
  'name',
  'job_title',
  'company_profile',
  'industry',
  'style',
  'language',
  'avatar_item_id',
  'traits',
  'background',
  'goals',
  'pains',
  'opening_line',
  'objections',
  'facts',
  'voice',
  'is_active',
  'is_system',
  'created_by',
  'created_at',
  'updated_at',
  'deleted_at',
  'version',
] as const

type Columns = Selectable<Database['enablement.coaching_personas']>
type TypedColumns = {
  style: PersonaStyle
  language: PracticeLanguage
  traits: Partial<Traits>
  objections: Objection[]
  facts: Fact[]
  voice: Partial<Voice>
}
export type PersonaRow = Omit<Pick<Columns, (typeof personaColumns)[number]>, keyof TypedColumns> & TypedColumns
