import { type Static, Type } from 'typebox'
import { Id, Instant, listQuery, named, nullable, Reference, strict, Timestamp } from '#platform/schema'

const ActorType = Type.Enum(['user', 'api_key', 'impersonation', 'system', 'operator', 'public'])

export const AuditLogQuery = listQuery({
  offset: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    default: 0,
    description: 'How many entries to skip. Beyond 10,000 use the cursor.',
  }),
  resource_type: Type.Optional(
    Type.String({ pattern: '^[a-z][a-z0-9_]*$', maxLength: 100, description: 'The kind of record, such as `lead`.' }),
  ),
  resource_id: Type.Optional(Id),
  user_id: Type.Optional({ ...Id, description: 'Who did it, or in whose name it was done.' }),
  actor_type: Type.Optional(ActorType),
  action: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9_]*\\.([a-z][a-z0-9_]*)?$',
      maxLength: 100,
      description: '`lead.updated`, or `lead.` for everything that happened to leads.',
    }),
  ),
  from: Type.Optional({ ...Instant, description: 'From this instant on.' }),
  to: Type.Optional({ ...Instant, description: 'Before this instant.' }),
})
export type AuditLogQuery = Static<typeof AuditLogQuery>

const Change = strict({
  field: Type.String(),
  before: Type.Unknown(),
  after: Type.Unknown(),
  truncated: Type.Optional(Type.Boolean({ description: 'The values were too long to be kept whole.' })),
})

export const AuditLogEntry = named(
  'AuditLogEntry',
  strict({
    id: Id,
    created_at: Timestamp,
    action: Type.String({ examples: ['lead.updated'] }),
    resource_type: Type.String(),
    resource_id: nullable(Id),
    resource_label: nullable(
      Type.String({ description: 'What the record was called then; `[erased]` once it was erased.' }),
    ),
    user_id: nullable(Id),
    user: nullable(Reference),
    actor_type: ActorType,
    actor_user_id: nullable(Id),
    actor: nullable({ ...Reference, description: 'The admin who acted as the user.' }),
    api_key_id: nullable(Id),
    session_id: nullable(Id),
    ip: nullable(Type.String()),
    user_agent: nullable(Type.String()),
    request_id: nullable(Type.String()),
    outcome: Type.Enum(['success', 'denied']),
    reason: nullable(Type.String()),
    changes: nullable(Type.Array(Change)),
    redacted_at: nullable(Timestamp),
    sealed: Type.Boolean({ description: 'It is part of the chain, so a later change would show.' }),
  }),
)
