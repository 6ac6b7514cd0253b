import { Type } from 'typebox'
import { Id, listQuery, named, nullable, Reference, sortOrder, strict, Timestamp } from '#platform/schema'
import { RoleName } from '../../workspace/user-records/users.schemas.ts'

export const LoginHistoryQuery = listQuery({ sort: sortOrder(['-occurred_at', 'occurred_at']) })

export const Login = named(
  'Login',
  strict({
    id: Id,
    occurred_at: Timestamp,
    outcome: Type.Enum(['success', 'failure']),
    reason: nullable(Type.String()),
    method: Type.String(),
    ip: Type.String(),
    user_agent: nullable(Type.String()),
    device: Type.String({ examples: ['Firefox on Windows'] }),
    session_id: nullable(Id),
    actor: nullable(Reference),
  }),
)

export const ActiveSessionsQuery = listQuery({
  threshold_seconds: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: 7_776_000,
      description:
        'Seconds since the last request within which a session counts as active. Default: `security.activity_threshold_seconds`.',
    }),
  ),
})

export const OnlineSession = named(
  'OnlineSession',
  strict({
    id: Id,
    auth_method: Type.String(),
    ip: Type.String(),
    user_agent: nullable(Type.String()),
    started_at: Timestamp,
    last_seen_at: Timestamp,
    actor: nullable(Reference),
  }),
)

const OnlineUser = strict({
  user: strict({
    id: Id,
    name: Type.String(),
    email: Type.String(),
    role: RoleName,
    avatar_url: nullable(Type.String()),
  }),
  session_count: Type.Integer(),
  last_seen_at: Timestamp,
  sessions: Type.Array(OnlineSession),
})

export const ActiveSessions = named(
  'ActiveSessions',
  strict({
    items: Type.Array(OnlineUser),
    total: nullable(Type.Integer({ minimum: 0 })),
    total_relation: nullable(Type.Enum(['eq', 'gte'])),
    limit: Type.Integer(),
    offset: Type.Integer(),
    next_cursor: nullable(Type.String()),
    threshold_seconds: Type.Integer(),
    as_of: Timestamp,
  }),
)
