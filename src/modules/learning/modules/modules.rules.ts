import { type InputError, invalid, invalidInput } from '#platform/errors'
import type { AssignmentSettings, ModuleKind, QuizSettings } from '../records/learning.schemas.ts'
import type { ModuleRow } from '../records/module-row.ts'
import type { AssignmentInput, ModuleChanges, QuizInput } from './modules.schemas.ts'

export const maxModules = 200

type KindField =
  | 'content_item_id'
  | 'body'
  | 'min_seconds'
  | 'min_progress'
  | 'quiz'
  | 'assignment'
  | 'scenario_id'
  | 'prompt_id'
  | 'min_score'
  | 'allow_voice'

const fieldsOfKind: Record<ModuleKind, readonly KindField[]> = {
  content: ['content_item_id', 'body', 'min_seconds', 'min_progress'],
  video: ['content_item_id', 'body', 'min_seconds', 'min_progress'],
  quiz: ['quiz'],
  assignment: ['assignment'],
  roleplay: ['scenario_id', 'min_score', 'allow_voice'],
  pitch: ['prompt_id', 'min_score'],
}
const kindFields = [...new Set(Object.values(fieldsOfKind).flat())]

/** Values of the fields that depend on the kind, for a module of this kind without any. */
export const emptyKindFields = (kind: ModuleKind) => ({
  content_item_id: null,
  body: null,
  min_seconds: kind === 'video' ? null : 0,
  min_progress: kind === 'video' ? '0.9' : '0',
  quiz: null,
  assignment: null,
  scenario_id: null,
  prompt_id: null,
  min_score: null,
  allow_voice: false,
})

export function assertFieldsOfKind(kind: ModuleKind, input: ModuleChanges): void {
  const allowed = fieldsOfKind[kind]
  const problems = kindFields
    .filter((field) => input[field] !== undefined && input[field] !== null && !allowed.includes(field))
    .map(
      (field): InputError => ({
        in: 'body',
        path: `/${field}`,
        code: 'not_allowed',
        message: `\`${field}\` is not allowed for modules of the kind ${kind}.`,
      }),
    )
  if (problems.length) throw invalidInput(problems)
}

type PublishableItem = Pick<
  ModuleRow,
  'kind' | 'content_item_id' | 'body' | 'min_seconds' | 'min_progress' | 'assignment' | 'scenario_id' | 'prompt_id'
>

const required = (field: string): Error =>
  invalid('body', `/${field}`, 'required', `\`${field}\` is required for modules of this kind.`)

export function assertKindComplete(module: PublishableItem): void {
  const { kind, content_item_id, body, min_seconds, min_progress, assignment, scenario_id, prompt_id } = module
  if (kind === 'content' && !content_item_id && !body) throw required('content_item_id')
  if (kind === 'video' && !content_item_id) throw required('content_item_id')
  if (kind === 'assignment' && !assignment) throw required('assignment')
  if (kind === 'roleplay' && !scenario_id) throw required('scenario_id')
  if (kind === 'pitch' && !prompt_id) throw required('prompt_id')
  if (!content_item_id && min_seconds)
    throw invalid(
      'body',
      '/min_seconds',
      'not_allowed',
      '`min_seconds` requires a content item, whose time is tracked.',
    )
  if (!content_item_id && kind === 'content' && Number(min_progress) > 0)
    throw invalid('body', '/min_progress', 'not_allowed', '`min_progress` requires a content item.')
}

const quizDefaults: QuizSettings = {
  passing_score: 80,
  max_attempts: null,
  cooldown_minutes: 0,
  grading: 'highest',
  shuffle_questions: true,
  shuffle_options: true,
  time_limit_seconds: null,
  partial_credit: true,
  review: 'after_final',
  draws: [],
}

/** Fields that are left out keep their current or default values. */
export function completeQuiz({ questions: _, ...input }: QuizInput, current: QuizSettings | null): QuizSettings {
  return { ...(current ?? quizDefaults), ...input }
}

export function completeAssignment(input: AssignmentInput): AssignmentSettings {
  const assignment = { requires: 'text', max_points: 100, passing_points: 60, ...input } as const
  if (assignment.passing_points > assignment.max_points)
    throw invalid(
      'body',
      '/assignment/passing_points',
      'maximum',
      '`passing_points` must not exceed `max_points`, which is 100 by default.',
    )
  return assignment
}

type Prerequisites = { id: string; prerequisite_ids: readonly string[] }

/** Whether a record leads back to itself through its prerequisites. */
export function hasCycle(records: readonly Prerequisites[], startId: string): boolean {
  const next = new Map(records.map(({ id, prerequisite_ids }) => [id, prerequisite_ids]))
  const seen = new Set<string>()
  const waiting = [...(next.get(startId) ?? [])]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id === startId) return true
    if (seen.has(id)) continue
    seen.add(id)
    waiting.push(...(next.get(id) ?? []))
  }
  return false
}
