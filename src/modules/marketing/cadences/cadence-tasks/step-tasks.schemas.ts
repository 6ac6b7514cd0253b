import { type Static, Type } from 'typebox'
import { OwnerFilter } from '#modules/identity'
import {
  clearable,
  enumList,
  Id,
  Instant,
  listQuery,
  named,
  nullable,
  Reference,
  sortOrder,
  strict,
  Timestamp,
} from '#platform/schema'

const text = nullable(Type.String())
const taskTypes = ['email_manual', 'call', 'task'] as const

export const StepTask = named(
  'CadenceTask',
  strict({
    activity_id: Id,
    type: Type.Enum([...taskTypes]),
    assignee_id: Id,
    due_at: Timestamp,
    skipped_at: nullable({ ...Timestamp, description: 'When the task is skipped if it is still open.' }),
    instructions: text,
    subject_template: text,
    body_template: text,
    enrollment_id: Id,
    cadence: Reference,
    step: strict({ id: Id, position: Type.Integer() }),
    record: strict({ type: Type.Enum(['lead', 'contact']), id: Id, name: text, email: text }),
  }),
)
export type StepTask = Static<typeof StepTask>

export const StepTaskQuery = listQuery({
  sort: sortOrder(['due_at', '-due_at']),
  assignee_id: { ...OwnerFilter, default: 'me', description: 'Id of the user, or `me` for the caller.' },
  due_before: Type.Optional({ ...Instant, description: 'Only tasks that are due before this time.' }),
  type: Type.Optional(enumList([...taskTypes])),
})
export type StepTaskQuery = Static<typeof StepTaskQuery>

export const TaskCompletion = strict({
  outcome: clearable(
    Type.String({ maxLength: 100, description: 'Outcome of a call, such as `connected`; free text for other tasks.' }),
  ),
  body: clearable(Type.String({ maxLength: 20_000, description: 'Notes. They replace the instructions in the task.' })),
  sent_subject: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'Subject of a manual email. Required with `sent_body`.' }),
  ),
  sent_body: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 20_000,
      description:
        'Text of a manual email, which is sent under the rules of automatic ones. Without it, the email was sent elsewhere.',
    }),
  ),
})
export type TaskCompletion = Static<typeof TaskCompletion>

export const StepTaskResult = named(
  'CadenceTaskResult',
  strict({
    activity_id: Id,
    enrollment_id: Id,
    state: Type.Enum(['waiting', 'claimed', 'done', 'skipped', 'failed', 'uncertain'], {
      description: 'State of the step: `waiting` if its email is sent soon.',
    }),
  }),
)
export type StepTaskResult = Static<typeof StepTaskResult>

export const StepTaskParams = strict({ activity_id: Id })
