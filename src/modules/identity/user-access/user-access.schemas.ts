import { Type } from 'typebox'
import { Id, named, nullable, strict, Timestamp } from '#platform/schema'

export const ResetPassword = named(
  'ResetPassword',
  strict({
    user_id: Id,
    delivery: Type.Enum(['temporary_password', 'email_link']),
    temporary_password: nullable(
      Type.String({ description: 'Returned only once. Null if `delivery` is `email_link`.' }),
    ),
    must_change_password: Type.Boolean(),
    expires_at: Timestamp,
    sessions_revoked: Type.Integer(),
  }),
)
