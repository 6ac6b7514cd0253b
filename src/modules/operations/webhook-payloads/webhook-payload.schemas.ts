import { type Static, type TSchema, Type } from 'typebox'
import { Id, Instant, Line, named, nullable, strict } from '#platform/schema'

const EventActor = strict({
  type: Type.Enum(['user', 'api_key', 'impersonation', 'system', 'operator', 'public']),
  id: nullable(Id),
})

/** Replaces the data of an event that was too large to store or was erased. */
const TruncatedEventData = named(
  'TruncatedEventData',
  strict({ truncated: Type.Literal(true), id: Type.String({ maxLength: 200 }) }),
)

/** Returns the schema of the payloads of one event type. */
export const webhookPayload = <D extends TSchema, O extends TSchema>(type: string, data: D, object: O) =>
  strict({
    id: { ...Id, description: 'Event id, the same on every attempt and redelivery.' },
    type: Type.Literal(type),
    timestamp: Instant,
    workspace: { ...Line(63), description: 'Subdomain of the workspace.' },
    subject: strict({
      type: Type.String({ maxLength: 60 }),
      id: Type.String({ maxLength: 200 }),
    }),
    data: Type.Union([data, TruncatedEventData]),
    object,
    actor: EventActor,
    sequence: nullable(
      Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description:
          'Version of the record after the change. Ignore a payload that is older than the last one processed.',
      }),
    ),
  })

export type WebhookPayload = {
  id: string
  type: string
  timestamp: string
  workspace: string
  subject: { type: string; id: string }
  data: unknown
  object: unknown
  actor: Static<typeof EventActor>
  sequence: number | null
}
