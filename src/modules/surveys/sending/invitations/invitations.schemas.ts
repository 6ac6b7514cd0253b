import { type Static, Type } from 'typebox'
import { enumList, Id, listQuery, named, nullable, Search, sortOrder, strict, Timestamp } from '#platform/schema'

export const invitationStatuses = [
  'pending',
  'sent',
  'partial',
  'responded',
  'bounced',
  'failed',
  'unsubscribed',
  'revoked',
] as const

const text = nullable(Type.String())
const at = nullable(Timestamp)

export const Invitation = named(
  'SurveyInvitation',
  strict({
    id: Id,
    survey_id: Id,
    distribution_id: Id,
    email: text,
    name: text,
    contact_id: nullable(Id),
    lead_id: nullable(Id),
    account_id: nullable(Id),
    language: text,
    lifecycle_stage: text,
    status: nullable(
      Type.Enum([...invitationStatuses], {
        description: 'Null for an anonymous survey, as are all fields that could tell who responded.',
      }),
    ),
    failure_reason: text,
    sent_at: at,
    responded_at: at,
    expires_at: at,
    reminders_sent: nullable(Type.Integer({ minimum: 0 })),
    created_at: Timestamp,
  }),
)
export type Invitation = Static<typeof Invitation>

export const InvitationQuery = listQuery({
  sort: sortOrder(['-created_at', 'created_at']),
  status: Type.Optional(enumList([...invitationStatuses])),
  distribution_id: Type.Optional(Id),
  search: Type.Optional(
    Type.Unsafe<string>({
      ...Search,
      description: 'Words that occur in the linked lead or contact, or the whole email address.',
    }),
  ),
})
export type InvitationQuery = Static<typeof InvitationQuery>

export const InvitationParams = strict({ survey_id: Id, invitation_id: Id })
