import { listTemplateProblems, parseTemplate } from '#modules/email'
import { type InputError, invalidInput } from '#platform/errors'
import { newId } from '#platform/ids'
import type { StepRow } from '../cadence-records/steps.queries.ts'
import type { NewStep, ReplacedStep } from './cadences.schemas.ts'

export type StepValues = Omit<StepRow, 'cadence_id'>

const defaultSkipDays = 5

/** Gives the steps their positions, and new ones an id. */
export const toStepValues = (steps: readonly (NewStep | ReplacedStep)[]): StepValues[] =>
  steps.map((step, index) => ({
    id: ('id' in step && step.id) || newId(),
    position: index + 1,
    type: step.type,
    delay_days: step.delay_days,
    delay_hours: step.delay_hours,
    business_days: step.business_days,
    subject_template: step.subject_template ?? null,
    body_template: step.body_template ?? null,
    reply_in_thread: step.reply_in_thread,
    instructions: step.instructions ?? null,
    auto_skip_after_days: step.auto_skip_after_days === undefined ? defaultSkipDays : step.auto_skip_after_days,
  }))

type Templates = Pick<StepValues, 'type' | 'subject_template' | 'body_template'>
const templateFields = ['subject_template', 'body_template'] as const

/** Lists missing and wrong templates, with the position of what is wrong. */
export const listStepErrors = (steps: readonly Templates[], variables: ReadonlySet<string>): InputError[] =>
  steps.flatMap((step, index) =>
    templateFields.flatMap((field): InputError[] => {
      const path = `/steps/${index}/${field}`
      const template = step[field]
      if (template !== null)
        return listTemplateProblems(parseTemplate(template), variables).map(({ code, message }) => ({
          in: 'body',
          path,
          code,
          message,
        }))
      if (step.type !== 'email_auto') return []
      return [{ in: 'body', path, code: 'required', message: `\`${field}\` is required for an automatic email.` }]
    }),
  )

/** Ids of a request must be those of steps of the cadence, once each and with the same type. */
export function assertKnownSteps(existing: readonly StepRow[], requested: readonly ReplacedStep[]): void {
  const typeById = new Map<string, string>(existing.map(({ id, type }) => [id, type]))
  const errors = requested.flatMap(({ id, type }, index): InputError[] => {
    if (id === undefined) return []
    const path = `/steps/${index}/id`
    if (!typeById.has(id))
      return [{ in: 'body', path, code: 'unknown_reference', message: '`id` must be the id of a step of the cadence.' }]
    if (requested.findIndex((other) => other.id === id) < index)
      return [{ in: 'body', path, code: 'unique', message: '`id` must not occur twice.' }]
    if (typeById.get(id) === type) return []
    const message = 'The type of an existing step cannot be changed. Leave out `id` to replace the step by a new one.'
    return [{ in: 'body', path: `/steps/${index}/type`, code: 'type', message }]
  })
  if (errors.length) throw invalidInput(errors)
}

type Position = { id: string; position: number }
const maxSteps = 30

/**
 * Gives removed steps the position at which their enrollments continue: after the nearest earlier step that was kept, so a step that
 * replaces the removed one comes first. `removed` also contains steps that were removed before.
 */
export function moveRemovedSteps(
  removed: readonly Position[],
  before: readonly Position[],
  after: readonly Position[],
): Position[] {
  const positions = new Map(after.map(({ id, position }) => [id, position]))
  const kept = before.filter(({ id }) => positions.has(id))
  return removed.map(({ id, position }) => {
    const previous = kept.findLast((step) => step.position < position)
    return { id, position: Math.min(maxSteps, (previous ? positions.get(previous.id)! : 0) + 1) }
  })
}
