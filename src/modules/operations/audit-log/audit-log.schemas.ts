import { type Static, Type } from 'typebox'
import { Id, Instant, listQuery, named, nullable, Reference, sortOrder, strict, Timestamp } from '#platform/schema'

const ActorType = Type.Enum(['user', 'api_key', 'impersonation', 'system', 'operator', 'public'])

export const AuditLogQuery = listQuery({
  sort: sortOrder(['-created_at', 'created_at']),
  offset: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    default: 0,
    description: 'Number of entries to skip. Use `cursor` beyond 10,000.',
  }),
  resource_type: Type.Optional(
    Type.String({ pattern: '^[a-z][a-z0-9_]*$', maxLength: 100, description: 'Type of the record, such as `lead`.' }),
  ),
  resource_id: Type.Optional(Id),
  user_id: Type.Optional({ ...Id, description: 'The acting or the impersonated user.' }),
  actor_type: Type.Optional(ActorType),
  action: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9_]*\\.([a-z][a-z0-9_]*)?$',
      maxLength: 100,
      description: 'Action such as `lead.updated`, or a prefix such as `lead.` for all actions on leads.',
    }),
  ),
  from: Type.Optional({ ...Instant, description: 'Start of the period, inclusive.' }),
  to: Type.Optional({ ...Instant, description: 'End of the period, exclusive.' }),
})
export type AuditLogQuery = Static<typeof AuditLogQuery>

const Change = strict({
  field: Type.String(),
  before: Type.Unknown(),
  after: Type.Unknown(),
  truncated: Type.Optional(Type.Boolean({ description: 'True if the values were too long and have been truncated.' })),
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
      Type.String({ description: 'Name of the record at that time; `[erased]` after the record was erased.' }),
    ),
    user_id: nullable(Id),
    user: nullable(Reference),
    actor_type: ActorType,
    actor_user_id: nullable(Id),
    actor: nullable({ ...Reference, description: 'The admin who impersonated the user.' }),
    api_key_id: nullable(Id),
    session_id: nullable(Id),
    ip: nullable(Type.String()),
    user_agent: nullable(Type.String()),
    request_id: nullable(Type.String()),
    outcome: Type.Enum(['success', 'denied']),
    reason: nullable(Type.String()),
    changes: nullable(Type.Array(Change)),
    redacted_at: nullable(Timestamp),
    sealed: Type.Boolean({ description: 'True once the entry is part of the tamper-evident chain.' }),
  }),
)
