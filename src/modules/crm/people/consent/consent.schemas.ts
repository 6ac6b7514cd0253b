import { type Static, Type } from 'typebox'
import { Id, Instant, Line, named, nullable, strict, Timestamp, withExample } from '#platform/schema'

const EmailStatus = Type.Enum(['unknown', 'subscribed', 'unsubscribed', 'bounced', 'complained'])
const CallStatus = Type.Enum(['allowed', 'do_not_call'])
const Basis = Type.Enum(['consent', 'legitimate_interest', 'contract', 'none'])

const stateOf = <T extends typeof EmailStatus | typeof CallStatus>(status: T) =>
  strict({
    status,
    basis: nullable(Type.String()),
    source: nullable(Type.String()),
    at: nullable(Timestamp),
  })

const ConsentEvent = named(
  'ConsentEvent',
  strict({
    id: Id,
    channel: Type.Enum(['email', 'survey', 'phone', 'processing']),
    from: Type.String(),
    to: Type.String(),
    basis: Type.String(),
    source: Type.String(),
    evidence: nullable(Type.String()),
    actor_user_id: nullable(Id),
    at: Timestamp,
  }),
)

export const PersonConsent = named(
  'PersonConsent',
  strict({
    email: stateOf(EmailStatus),
    phone: stateOf(CallStatus),
    processing_restricted: Type.Boolean(),
    history: Type.Array(ConsentEvent, { description: 'The 50 newest changes.' }),
  }),
)
export type PersonConsent = Static<typeof PersonConsent>

export const ConsentUpdate = named(
  'ConsentUpdate',
  withExample(
    strict({
      email_status: Type.Optional(EmailStatus),
      call_status: Type.Optional(CallStatus),
      processing_restricted: Type.Optional(Type.Boolean()),
      basis: Basis,
      source: Line(200),
      evidence: Type.Optional(nullable(Type.String({ maxLength: 2000 }))),
      occurred_at: Type.Optional(Instant),
    }),
    {
      email_status: 'subscribed',
      basis: 'consent',
      source: 'trade fair',
      evidence: 'Signed form of 12 May, scanned in the account files.',
    },
  ),
)
export type ConsentUpdate = Static<typeof ConsentUpdate>
