import { type Static, type TSchema, Type } from 'typebox'
import { Id, Instant, Line, named, nullable, strict } from '#platform/schema'

const EventActor = named(
  'EventActor',
  strict({
    type: Type.Enum(['user', 'api_key', 'impersonation', 'system', 'operator', 'public']),
    id: nullable(Id),
  }),
)

const EventSubject = named(
  'EventSubject',
  strict({
    type: Type.String({ maxLength: 60, examples: ['lead'] }),
    id: Type.String({ maxLength: 200, examples: ['019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12'] }),
  }),
)

/** Replaces the data of an event that was too large to store or was erased. */
const TruncatedEventData = named(
  'TruncatedEventData',
  strict({ truncated: Type.Literal(true), id: Type.String({ maxLength: 200 }) }),
)

export const WebhookPayload = named(
  'WebhookPayload',
  Type.Object({
    id: { ...Id, description: 'Id of the event, the same in every attempt and redelivery.' },
    type: Type.String({ maxLength: 100, examples: ['lead.updated'] }),
    timestamp: Instant,
    workspace: { ...Line(63), description: 'Subdomain of the workspace.', examples: ['acme'] },
    subject: EventSubject,
    data: Type.Unknown({ description: 'What changed.' }),
    object: Type.Unknown({
      description: 'The record when the delivery was sent. Null if it was deleted or the event has no record.',
    }),
    actor: EventActor,
    sequence: nullable(
      Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Version of the record after the change.' }),
    ),
  }),
)
export type WebhookPayload = Static<typeof WebhookPayload>

export const webhookPayloadOf = (type: string, data: TSchema, object: TSchema | null) =>
  named(
    `${toPascalCase(type)}Event`,
    Type.Intersect(
      [
        WebhookPayload,
        Type.Object({
          type: Type.Literal(type),
          data: Type.Union([data, TruncatedEventData]),
          object: object ? nullable(object) : Type.Null(),
        }),
      ],
      { type: 'object' },
    ),
  )

const toPascalCase = (type: string) => type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())
