import type { Schemas } from '../../../api/client.ts'
import { isEqual } from '../../../api/merge-fields.ts'

export type CadenceStep = Schemas['CadenceStep']
export type StepValues = Omit<CadenceStep, 'id' | 'position'>
export type StepType = StepValues['type']

/** A step as the API has it. */
export type StoredStep = { id: string; values: StepValues }

/** A step as the user wants it. The key stays when a new step gets its id. */
export type EditedStep = { key: string; id: string | null; values: StepValues }

export const stepTypes: readonly StepType[] = ['email_auto', 'email_manual', 'call', 'task']
export const isEmail = ({ type }: Pick<StepValues, 'type'>): boolean => type === 'email_auto' || type === 'email_manual'

export const toStoredStep = ({ id, position: _, ...values }: CadenceStep): StoredStep => ({ id, values })

/** Whether two steps have the same channel and texts. */
export const hasTexts = (one: StepValues, other: StepValues): boolean =>
  (['type', 'subject_template', 'body_template', 'instructions'] as const).every((field) => one[field] === other[field])

export const hasValues = (one: StepValues, other: StepValues): boolean =>
  valueFields.every((field) => isEqual(one[field], other[field]))

export const valueFields = [
  'type',
  'delay_days',
  'delay_hours',
  'business_days',
  'subject_template',
  'body_template',
  'reply_in_thread',
  'instructions',
  'auto_skip_after_days',
] as const satisfies readonly (keyof StepValues)[]

/** The values of a step that is added after another one. The first step is done at once. */
export const newStepValues = (type: StepType, isFirst: boolean): StepValues => ({
  type,
  delay_days: isFirst ? 0 : 2,
  delay_hours: 0,
  business_days: true,
  subject_template: null,
  body_template: null,
  reply_in_thread: false,
  instructions: null,
  auto_skip_after_days: 5,
})
