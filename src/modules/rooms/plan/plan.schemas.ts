import { type Static, Type } from 'typebox'
import { CalendarDay, clearable, Email, Id, Line, named, nullable, strict, Timestamp } from '#platform/schema'

export const stepStatuses = ['todo', 'in_progress', 'done', 'cancelled'] as const

const sides = ['seller', 'buyer'] as const

const text = nullable(Type.String())

export const PlanStep = named(
  'PlanStep',
  strict({
    id: Id,
    title: Type.String(),
    description: text,
    side: Type.Enum([...sides]),
    assignee_user_id: nullable(Id),
    assignee_name: text,
    assignee_email: text,
    due_on: nullable(CalendarDay),
    status: Type.Enum([...stepStatuses]),
    is_internal: Type.Boolean({ description: 'Internal steps are not shown to visitors.' }),
    position: Type.Integer(),
    completed_at: nullable(Timestamp),
    completed_by: nullable(
      Type.String({
        description: 'Name, or the email address of a visitor, which is null without the scope `contacts.read`.',
      }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type PlanStep = Static<typeof PlanStep>

export const RoomPlan = strict({
  steps: Type.Array(PlanStep),
  progress_rate: nullable(
    Type.Number({ minimum: 0, maximum: 1, description: 'Done steps divided by all steps that are not cancelled.' }),
  ),
})
export type RoomPlan = Static<typeof RoomPlan>

const writable = {
  description: clearable(Type.String({ maxLength: 2_000 })),
  assignee_user_id: clearable(Id),
  assignee_name: clearable(Line(120)),
  assignee_email: clearable(Email),
  due_on: clearable(CalendarDay),
  status: Type.Optional(Type.Enum([...stepStatuses])),
  is_internal: Type.Optional(Type.Boolean()),
  position: Type.Optional(Type.Integer({ minimum: 0, maximum: 99, description: 'Place in the plan, from 0.' })),
}

export const NewPlanStep = strict({ title: Line(200), side: Type.Enum([...sides]), ...writable })
export type NewPlanStep = Static<typeof NewPlanStep>

export const PlanStepChanges = strict({
  title: Type.Optional(Line(200)),
  side: Type.Optional(Type.Enum([...sides])),
  ...writable,
})
export type PlanStepChanges = Static<typeof PlanStepChanges>

export const PlanStepParams = strict({ room_id: Id, step_id: Id })
