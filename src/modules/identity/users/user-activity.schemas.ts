import { Type } from 'typebox'
import { Money } from '#platform/money'
import { CalendarDay, Id, listQuery, named, nullable, Reference, strict, Timestamp } from '#platform/schema'
import { RoleName } from './users.schemas.ts'

export const LoginHistoryQuery = listQuery({})

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
      maximum: 86_400,
      description: 'How long someone counts as online. The workspace has a setting for it.',
    }),
  ),
})

const OnlineSession = strict({
  id: Id,
  auth_method: Type.String(),
  ip: Type.String(),
  user_agent: nullable(Type.String()),
  started_at: Timestamp,
  last_seen_at: Timestamp,
  actor: nullable(Reference),
})

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

export const ForecastQuery = listQuery({})

export const ForecastUser = named(
  'ForecastUser',
  strict({
    id: Id,
    name: Type.String(),
    email: Type.String(),
    role: RoleName,
    title: nullable(Type.String()),
    avatar_url: nullable(Type.String()),
    manager_id: nullable(Id),
    team: nullable(Reference),
    period: strict({ start_on: CalendarDay, end_on: CalendarDay }),
    quota: nullable(Money),
    open_amount: nullable(Money),
    weighted_amount: nullable(Money),
    won_amount: nullable(Money),
    projected_amount: nullable(Money),
    open_count: nullable(Type.Integer()),
    attainment_rate: nullable(Type.Number()),
  }),
)

export const ResetPassword = named(
  'ResetPassword',
  strict({
    user_id: Id,
    delivery: Type.Enum(['temporary_password', 'email_link']),
    temporary_password: nullable(Type.String({ description: 'Shown once.' })),
    must_change_password: Type.Boolean(),
    expires_at: Timestamp,
    sessions_revoked: Type.Integer(),
  }),
)

export const SessionsRevoked = strict({ sessions_revoked: Type.Integer() })
