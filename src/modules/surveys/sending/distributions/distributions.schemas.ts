import { type Static, Type } from 'typebox'
import {
  Email,
  Id,
  Instant,
  Line,
  listQuery,
  named,
  nullable,
  sortOrder,
  strict,
  Timestamp,
  withExample,
} from '#platform/schema'
import { Language } from '../../design/translations/texts.schemas.ts'

export const distributionStatuses = ['scheduled', 'sending', 'sent', 'cancelled', 'failed'] as const
export type DistributionStatus = (typeof distributionStatuses)[number]

export const maxRecipients = 50_000

const ids = (maxItems: number) => Type.Optional(Type.Array(Id, { minItems: 1, maxItems }))

const AddressedPerson = strict({
  email: Email,
  name: Type.Optional(Line(200)),
  language: Type.Optional(Language),
})
export type AddressedPerson = Static<typeof AddressedPerson>

export const NewDistribution = withExample(
  strict({
    contact_ids: ids(5_000),
    lead_ids: ids(5_000),
    segment_ids: ids(20),
    emails: Type.Optional(Type.Array(AddressedPerson, { minItems: 1, maxItems: 1_000 })),
    language: Type.Optional(Language),
    subject: Type.Optional(Line(200)),
    message: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 5_000,
        description: 'Text of the email. `{{first_name}}` and `{{survey_link}}` are replaced.',
      }),
    ),
    reminder_days: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 60 }), {
        maxItems: 3,
        description: 'Days after `send_at`, in ascending order. Default: those of the survey.',
      }),
    ),
    expires_in_days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 365, description: 'Default: `invitation_ttl_days` of the survey.' }),
    ),
    send_at: Type.Optional(
      Type.Unsafe<string>({ ...Instant, description: 'At most 90 days ahead. Default: immediately.' }),
    ),
    ignore_throttle: Type.Optional(
      Type.Boolean({ description: 'Also invites recipients of other recent surveys. Requires the role manager.' }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'Counts the recipients and stores nothing.' })),
  }),
  { contact_ids: ['01890000-0000-7000-8000-000000000001'], dry_run: true },
)
export type NewDistribution = Static<typeof NewDistribution>

const count = Type.Integer({ minimum: 0 })

export const skipReasons = ['no_email', 'suppressed', 'throttled', 'already_invited', 'duplicate'] as const
export type SkipReason = (typeof skipReasons)[number]
const SkippedCounts = strict({
  no_email: count,
  suppressed: count,
  throttled: count,
  already_invited: count,
  duplicate: count,
})
export type SkippedCounts = Static<typeof SkippedCounts>

export const DistributionPreview = named(
  'SurveyDistributionPreview',
  strict({ recipients: count, skipped: SkippedCounts }),
)
export type DistributionPreview = Static<typeof DistributionPreview>

export const StartedDistribution = named(
  'StartedSurveyDistribution',
  strict({ task_id: Id, status_url: Type.String(), distribution_id: Id, estimated_recipients: count }),
)
export type StartedDistribution = Static<typeof StartedDistribution>

export const Distribution = named(
  'SurveyDistribution',
  strict({
    id: Id,
    survey_id: Id,
    status: Type.Enum([...distributionStatuses]),
    audience: strict({ contacts: count, leads: count, segment_ids: Type.Array(Id), emails: count }),
    send_at: Timestamp,
    subject: nullable(Type.String()),
    message: nullable(Type.String()),
    language: nullable(Type.String()),
    reminder_days: Type.Array(Type.Integer()),
    expires_in_days: Type.Integer(),
    ignore_throttle: Type.Boolean(),
    task_id: nullable(Id),
    recipients: count,
    skipped: SkippedCounts,
    sent: count,
    failed: count,
    bounced: count,
    unsubscribed: count,
    continues_at: nullable(
      Type.Unsafe<Date>({
        ...Timestamp,
        description: 'When the emails above a daily limit are sent; null if none of them waits for this reason.',
      }),
    ),
    created_by: nullable(Id),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type Distribution = Static<typeof Distribution>

export const DistributionQuery = listQuery({ sort: sortOrder(['-created_at', 'created_at']) })
export type DistributionQuery = Static<typeof DistributionQuery>

export const DistributionParams = strict({ survey_id: Id, distribution_id: Id })
