import { Type } from 'typebox'
import { Id, named, nullable, strict, Timestamp } from '#platform/schema'

export const SessionParams = strict({ session_id: Id })

export const OwnSession = named(
  'OwnSession',
  strict({
    id: Id,
    auth_method: Type.String(),
    ip: Type.String(),
    user_agent: nullable(Type.String()),
    created_at: Timestamp,
    last_seen_at: Timestamp,
    expires_at: Timestamp,
    current: Type.Boolean({ description: 'Session of this request.' }),
  }),
)

export const Reauthentication = strict({ password: Type.String({ minLength: 1, maxLength: 1_024 }) })

export const Reauthenticated = strict({ authenticated_at: Timestamp })
