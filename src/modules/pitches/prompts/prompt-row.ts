import type { Selectable } from 'kysely'
import type { Criterion, Language } from '#modules/coaching'
import type { Database, TenantTx } from '#platform/db'
import { defineExtensionPoint } from '#platform/module'
import type { PromptStatus } from './prompts.schemas.ts'

export const promptColumns = [
  'id',
  'title',
  'instructions',
  'time_limit_seconds',
  'criteria',
  'criteria_version',
  'status',
  'passing_score',
  'max_takes',
  'min_reviews',
  'reviewer_ids',
  'exemplar_submission_id',
  'retention_days',
  'language',
  'owner_id',
  'created_by',
  'created_at',
  'updated_at',
  'version',
] as const

type Columns = Selectable<Database['enablement.pitch_prompts']>
type TypedColumns = { status: PromptStatus; criteria: Criterion[]; language: Language }
export type PromptRow = Omit<Pick<Columns, (typeof promptColumns)[number]>, keyof TypedColumns> & TypedColumns

/** Throws if records of another module use the prompt, which cannot be deleted then. */
export type AssertPromptUnused = (tx: TenantTx, prompt: { id: string }) => Promise<void>

export const promptUsePoint = defineExtensionPoint<AssertPromptUnused>('uses of pitch prompts')
