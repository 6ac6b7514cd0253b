import { type Static, Type } from 'typebox'
import {
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
  withExample,
} from '#platform/schema'
import { cadenceStatuses } from '../cadence-records/cadences.queries.ts'
import { enrollmentStatuses, exitReasons, pauseReasons } from '../cadence-records/enrollment-states.rules.ts'
import { stepTypes } from '../cadence-records/steps.queries.ts'
import { skipCodes } from './eligibility.rules.ts'

const text = nullable(Type.String())

const enrollmentProperties = {
  id: Id,
  cadence_id: Id,
  lead: nullable(strict({ id: Id, name: text, email: text, company: text, status: Type.String() })),
  contact: nullable(strict({ id: Id, name: text, email: text, title: text, account_name: text })),
  sender_id: nullable(Id),
  sender: nullable(Reference),
  status: Type.Enum([...enrollmentStatuses]),
  exit_reason: nullable(Type.Enum([...exitReasons])),
  paused_reason: nullable(Type.Enum([...pauseReasons])),
  paused_until: nullable(Timestamp),
  current_step_id: nullable(Id),
  next_run_at: nullable(Timestamp),
  enrolled_by: nullable(Id),
  enrolled_via: Type.Enum(['manual', 'bulk', 'segment', 'sample']),
  enrolled_at: Timestamp,
  last_step_at: nullable(Timestamp),
  ended_at: nullable(Timestamp),
  replied_at: nullable(Timestamp),
}

export const CadenceEnrollment = named('CadenceEnrollment', strict(enrollmentProperties))
export type CadenceEnrollment = Static<typeof CadenceEnrollment>

export const PersonEnrollment = named(
  'PersonEnrollment',
  strict({
    ...enrollmentProperties,
    cadence: strict({ id: Id, name: Type.String(), status: Type.Enum([...cadenceStatuses]) }),
    step: nullable(
      strict({
        id: Id,
        position: Type.Integer({ minimum: 1, maximum: 30 }),
        type: Type.Enum([...stepTypes]),
        subject_template: text,
      }),
    ),
    step_count: Type.Integer({ minimum: 0 }),
    timezone: Type.String(),
  }),
)
export type PersonEnrollment = Static<typeof PersonEnrollment>

export const EnrollmentQuery = listQuery({
  status: Type.Optional(Type.Enum([...enrollmentStatuses])),
  step_id: Type.Optional({ ...Id, description: 'Current step of the enrollments.' }),
  sender_id: Type.Optional(Id),
  exit_reason: Type.Optional(Type.Enum([...exitReasons])),
  sort: sortOrder(['-enrolled_at', 'enrolled_at']),
})
export type EnrollmentQuery = Static<typeof EnrollmentQuery>

export const PersonEnrollmentQuery = listQuery({
  lead_id: Type.Optional({ ...Id, description: 'Lead whose enrollments are listed. Required without `contact_id`.' }),
  contact_id: Type.Optional({
    ...Id,
    description: 'Contact whose enrollments are listed. Required without `lead_id`.',
  }),
  status: Type.Optional(enumList([...enrollmentStatuses])),
  sort: sortOrder(['-enrolled_at', 'enrolled_at']),
})
export type PersonEnrollmentQuery = Static<typeof PersonEnrollmentQuery>

const ids = (description: string) => Type.Array(Id, { minItems: 1, maxItems: 10_000, description })

export const NewEnrollments = withExample(
  strict({
    lead_ids: Type.Optional(ids('Leads to enroll.')),
    contact_ids: Type.Optional(ids('Contacts to enroll.')),
    sender_id: Type.Optional({
      ...Id,
      description:
        'User who sends the emails and gets the tasks. Default: the owner of the record, or of the cadence. Another user must allow it in ' +
        'the sender settings, unless the caller is a manager, an admin or lead of a team of the user.',
    }),
  }),
  { lead_ids: ['0190a000-0000-7000-8000-000000000001'] },
)
export type NewEnrollments = Static<typeof NewEnrollments>

const SkippedByCode = strict(
  Object.fromEntries(skipCodes.map((code) => [code, Type.Optional(Type.Integer({ minimum: 1 }))])),
)

export const EnrolledPersons = named(
  'EnrolledPersons',
  strict({
    enrolled: Type.Integer({ minimum: 0, description: 'Number of persons who were enrolled.' }),
    skipped: Type.Integer({ minimum: 0, description: 'Number of persons who were not enrolled.' }),
    skipped_by_code: { ...SkippedByCode, description: 'Number of skipped persons by reason.' },
    results: Type.Array(
      strict({
        id: Id,
        outcome: Type.Enum(['enrolled', 'skipped']),
        code: nullable(Type.Enum([...skipCodes], { description: 'Why the person was not enrolled.' })),
      }),
      { maxItems: 500, description: 'The result of a task has only the first 500 persons who were skipped.' },
    ),
  }),
)
export type EnrolledPersons = Static<typeof EnrolledPersons>

export const EnrollmentChanges = withExample(
  Type.Object(
    {
      status: Type.Optional(
        Type.Enum(['active', 'paused', 'exited'], {
          description: '`paused` and `active` pause and continue the enrollment; `exited` ends it.',
        }),
      ),
      paused_until: Type.Optional(
        nullable({
          ...Instant,
          description: 'Only with the status `paused`: time in the future at which the enrollment continues by itself.',
        }),
      ),
      sender_id: Type.Optional({
        ...Id,
        description:
          'User who sends the further emails and gets the open task of the sender. Under the rules of `sender_id` of a new enrollment; ' +
          'enrollments of an active sender can be given away by the sender, managers, admins and leads of a team of the sender.',
      }),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
  { status: 'paused' },
)
export type EnrollmentChanges = Static<typeof EnrollmentChanges>

export const EnrollmentParams = strict({ cadence_id: Id, enrollment_id: Id })

export const SenderReassignment = withExample(
  strict({
    from_sender_id: nullable({
      ...Id,
      description: 'Sender whose enrollments change; null for enrollments without one, after an erasure of the user.',
    }),
    to_sender_id: {
      ...Id,
      description: 'Active user who becomes the sender. Under the rules of `sender_id` of an update of an enrollment.',
    },
  }),
  {
    from_sender_id: '0190a000-0000-7000-8000-000000000001',
    to_sender_id: '0190a000-0000-7000-8000-000000000002',
  },
)
export type SenderReassignment = Static<typeof SenderReassignment>

export const ReassignedEnrollments = named(
  'ReassignedEnrollments',
  strict({ reassigned: Type.Integer({ minimum: 0, description: 'Number of enrollments with the new sender.' }) }),
)
export type ReassignedEnrollments = Static<typeof ReassignedEnrollments>
