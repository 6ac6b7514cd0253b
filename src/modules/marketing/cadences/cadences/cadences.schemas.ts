import { type Static, Type } from 'typebox'
import { OwnerFilter } from '#modules/identity'
import {
  clearable,
  enumList,
  Id,
  Line,
  listQuery,
  named,
  nullable,
  Reference,
  Search,
  sortOrder,
  strict,
  Timestamp,
  withExample,
} from '#platform/schema'
import { cadencePauseReasons, cadenceStatuses } from '../cadence-records/cadences.queries.ts'
import { BodyTemplate, SubjectTemplate } from '../cadence-records/step-templates.schemas.ts'
import { stepTypes } from '../cadence-records/steps.queries.ts'

const text = nullable(Type.String())
const id = nullable(Id)
const count = Type.Integer({ minimum: 0 })
const TimeOfDay = Type.String({ pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$', maxLength: 5, examples: ['09:00'] })

export const RunWindow = named(
  'CadenceWindow',
  strict({
    days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
      minItems: 1,
      maxItems: 7,
      uniqueItems: true,
      description: 'Days of the week on which steps run; 1 is Monday.',
      examples: [[1, 2, 3, 4, 5]],
    }),
    start: { ...TimeOfDay, description: 'First minute of a day in which steps run.' },
    end: {
      ...TimeOfDay,
      description: 'Steps do not run at or after this time. Must be after `start`.',
      examples: ['17:00'],
    },
  }),
)

const ExitOn = strict({
  reply: Type.Boolean({ description: 'End the enrollment when the person replies.' }),
  meeting: Type.Boolean({ description: 'End the enrollment when the person books a meeting.' }),
  bounce: Type.Boolean({ description: 'End the enrollment when an email cannot be delivered.' }),
})

const stepFields = {
  type: Type.Enum([...stepTypes], {
    description:
      '`email_auto` sends an email; the others create a task for the sender, who writes the email, calls or does it.',
  }),
  delay_days: Type.Integer({
    minimum: 0,
    maximum: 90,
    default: 0,
    description: 'Days after the previous step, or after the enrollment for the first step.',
  }),
  delay_hours: Type.Integer({ minimum: 0, maximum: 23, default: 0, description: 'Hours in addition to `delay_days`.' }),
  business_days: Type.Boolean({
    default: true,
    description: 'Whether `delay_days` skips the days outside the window and holidays.',
  }),
  subject_template: clearable({
    ...SubjectTemplate,
    description: 'Subject with variables such as `{{ first_name | there }}`. Required for `email_auto`.',
  }),
  body_template: clearable({
    ...BodyTemplate,
    description: 'Text with variables. Required for `email_auto`. A blank line starts a new paragraph.',
  }),
  reply_in_thread: Type.Boolean({
    default: false,
    description: 'Send the email as a reply to the previous one of the cadence, with its subject.',
  }),
  instructions: clearable(Type.String({ minLength: 1, maxLength: 2_000, description: 'Text for the sender.' })),
  auto_skip_after_days: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: 60,
        description: 'Days after which an open task is skipped, 5 by default; null waits without limit.',
      }),
    ),
  ),
}

export const CadenceStep = named(
  'CadenceStep',
  strict({
    id: Id,
    position: Type.Integer({ minimum: 1, maximum: 30 }),
    type: Type.Enum([...stepTypes]),
    delay_days: Type.Integer(),
    delay_hours: Type.Integer(),
    business_days: Type.Boolean(),
    subject_template: text,
    body_template: text,
    reply_in_thread: Type.Boolean(),
    instructions: text,
    auto_skip_after_days: nullable(Type.Integer()),
  }),
)

export const Cadence = named(
  'Cadence',
  strict({
    id: Id,
    name: Type.String(),
    description: text,
    status: Type.Enum([...cadenceStatuses]),
    paused_reason: nullable(Type.Enum([...cadencePauseReasons])),
    owner_id: id,
    owner: nullable(Reference),
    campaign_id: id,
    campaign: nullable(Reference),
    window: RunWindow,
    timezone_mode: Type.Enum(['person', 'fixed']),
    timezone: text,
    exit_on: ExitOn,
    reenroll_after_days: nullable(Type.Integer()),
    track_clicks: Type.Boolean(),
    track_opens: Type.Boolean(),
    steps: Type.Array(CadenceStep),
    enrolled_count: { ...count, description: 'Number of enrollments, ended ones included.' },
    live_count: { ...count, description: 'Number of active and paused enrollments.' },
    created_by: id,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type Cadence = Static<typeof Cadence>

const rate = (description: string) => nullable(Type.Number({ minimum: 0, maximum: 1, description }))

export const ListedCadence = named(
  'ListedCadence',
  strict({
    ...Cadence.properties,
    results: Type.Optional({
      ...strict({
        sent: { ...count, description: 'Emails that were sent.' },
        reply_rate: rate('Share of the persons with a delivered email who replied. Null without a delivered email.'),
        bounce_rate: rate('Share of the sent emails that bounced. Null without a sent email.'),
        opt_out_rate: rate(
          'Share of the persons with a delivered email who opted out. Null without a delivered email.',
        ),
      }),
      description: 'Totals of `GET /api/cadences/{cadence_id}/stats`, with `include=results`.',
    }),
  }),
)
export type ListedCadence = Static<typeof ListedCadence>

const NewStep = named('NewCadenceStep', strict(stepFields))
export type NewStep = Static<typeof NewStep>

const ReplacedStep = named(
  'ReplacedCadenceStep',
  strict({
    id: Type.Optional({ ...Id, description: 'Id of a step that is kept; without it the step is new.' }),
    ...stepFields,
  }),
)
export type ReplacedStep = Static<typeof ReplacedStep>

const exampleStep = {
  type: 'email_auto',
  subject_template: 'A question, {{ first_name | there }}',
  body_template: 'Hello {{ first_name | there }},\n\nwould you have ten minutes this week?',
}

export const CadenceSteps = withExample(
  strict({ steps: Type.Array(ReplacedStep, { maxItems: 30, description: 'All steps, in their order.' }) }),
  { steps: [exampleStep, { type: 'call', delay_days: 2 }] },
)
export type CadenceSteps = Static<typeof CadenceSteps>

const settings = {
  description: clearable(Type.String({ maxLength: 5_000 })),
  owner_id: clearable(Id),
  campaign_id: clearable({ ...Id, description: 'Campaign to which enrolled persons are added as members.' }),
  window: Type.Optional(RunWindow),
  timezone_mode: Type.Optional(
    Type.Enum(['person', 'fixed'], {
      description: 'Whether the window is in the time zone of the person, if it is known, or always in `timezone`.',
    }),
  ),
  timezone: clearable(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: "IANA time zone. Default: the workspace's time zone.",
      examples: ['Europe/Berlin'],
    }),
  ),
  exit_on: Type.Optional(ExitOn),
  reenroll_after_days: clearable(
    Type.Integer({
      minimum: 1,
      maximum: 3_650,
      description: 'Days after the end of an enrollment before the person can be enrolled again; null is never.',
    }),
  ),
  track_clicks: Type.Optional(Type.Boolean({ description: 'Count clicks on links of the emails.' })),
  track_opens: Type.Optional(Type.Boolean({ description: 'Count opened emails with an invisible image.' })),
}

export const NewCadence = withExample(
  strict({
    name: Line(150),
    ...settings,
    steps: Type.Optional(Type.Array(NewStep, { maxItems: 30, description: 'Steps in their order.' })),
  }),
  { name: 'Trade fair follow-up', steps: [exampleStep] },
)
export type NewCadence = Static<typeof NewCadence>

export const CadenceChanges = strict({
  name: Type.Optional(Line(150)),
  status: Type.Optional(Type.Enum([...cadenceStatuses])),
  ...settings,
})
export type CadenceChanges = Static<typeof CadenceChanges>

export const CadenceQuery = listQuery({
  status: Type.Optional(enumList([...cadenceStatuses])),
  owner_id: Type.Optional(OwnerFilter),
  search: Type.Optional(Search),
  include: Type.Optional(
    Type.Enum(['results'], {
      description: '`results` adds the numbers of sent emails and their rates to each cadence.',
    }),
  ),
  sort: sortOrder(['-created_at', 'created_at']),
})
export type CadenceQuery = Static<typeof CadenceQuery>
