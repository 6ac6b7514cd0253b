import { type Static, Type } from 'typebox'
import {
  CalendarDay,
  clearable,
  enumList,
  Id,
  listQuery,
  named,
  nullable,
  pageOf,
  sortOrder,
  strict,
  withExample,
} from '#platform/schema'
import { Enrollment } from '../progress/enrollment.schemas.ts'
import { enrollmentStatuses } from '../records/learning.schemas.ts'

export const Completion = strict({
  module_id: Id,
  submission: Type.Optional(
    strict({
      text: Type.Optional(Type.String({ minLength: 1, maxLength: 20_000 })),
      link: Type.Optional(
        Type.String({ minLength: 1, maxLength: 2_048, pattern: '^https?://', examples: ['https://example.com/plan'] }),
      ),
    }),
  ),
})
export type Completion = Static<typeof Completion>

export const Review = withExample(
  strict({
    decision: Type.Enum(['pass', 'fail', 'waive', 'reset']),
    points: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000, description: 'Of an assignment.' })),
    comment: clearable(Type.String({ maxLength: 4_000 })),
    extra_attempts: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 5, description: 'Of a quiz that is reset. Default: 1 if none is left.' }),
    ),
  }),
  { decision: 'pass', points: 80, comment: 'Good plan.' },
)
export type Review = Static<typeof Review>

export const EnrollmentChanges = withExample(
  strict({
    due_on: clearable(CalendarDay),
    status: Type.Optional(Type.Enum(['withdrawn'])),
  }),
  { due_on: '2030-01-31' },
)
export type EnrollmentChanges = Static<typeof EnrollmentChanges>

export const OwnEnrollmentQuery = listQuery({
  sort: sortOrder(['due_on', '-due_on'], '`due_on`: open enrollments by due date, then the others, newest first.'),
  status: Type.Optional(enumList([...enrollmentStatuses])),
})
export type OwnEnrollmentQuery = Static<typeof OwnEnrollmentQuery>

export const PathEnrollmentQuery = listQuery({
  status: Type.Optional(enumList([...enrollmentStatuses])),
  overdue: Type.Optional(Type.Boolean({ description: 'Only open enrollments after their due date.' })),
  team_id: Type.Optional({ ...Id, description: 'Only current members of the team.' }),
  sort: Type.Optional(
    Type.Enum(['due_on', 'created_at', '-created_at'], {
      description: 'Default: `-created_at`. `due_on`: open enrollments by due date, then the others.',
    }),
  ),
})
export type PathEnrollmentQuery = Static<typeof PathEnrollmentQuery>

export const EnrollInput = withExample(
  strict({
    user_ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 500, uniqueItems: true })),
    team_ids: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: 50, uniqueItems: true, description: 'Their current members.' }),
    ),
    due_on: Type.Optional({ ...CalendarDay, description: 'Default: today and `due_in_days` of the path.' }),
    is_mandatory: Type.Optional(
      Type.Boolean({
        description: 'Default: true for others, false for the caller. Mandatory ones count for readiness.',
      }),
    ),
  }),
  {},
)
export type EnrollInput = Static<typeof EnrollInput>

const EnrolledUser = strict({ user_id: Id, enrollment_id: Id })

export const Enrolled = named(
  'EnrolledUsers',
  strict({
    enrolled: Type.Array(EnrolledUser),
    already: Type.Array(EnrolledUser, { description: 'With an open or a completed and valid enrollment.' }),
    skipped: Type.Array(
      strict({
        user_id: Id,
        reason: Type.Enum(['inactive', 'viewer'], { description: 'Viewers cannot learn.' }),
      }),
    ),
  }),
)
export type Enrolled = Static<typeof Enrolled>

export const PathEnrollments = strict({
  ...pageOf(Enrollment).properties,
  summary: strict({
    total: Type.Integer({
      description:
        'Users with an enrollment that was not withdrawn. The latest cycle of a user counts, or the one of a valid certificate.',
    }),
    completed: Type.Integer(),
    in_progress: Type.Integer(),
    overdue: Type.Integer(),
    average_score: nullable(Type.Number({ description: 'Of completed enrollments.' })),
    completion_rate: nullable(Type.Number()),
  }),
})
export type PathEnrollments = Static<typeof PathEnrollments>

export const EnrollParams = strict({ path_id: Id })
