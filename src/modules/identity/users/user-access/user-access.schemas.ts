import { Type } from 'typebox'
import { Id, named, nullable, strict, Timestamp } from '#platform/schema'

export const WorkspaceSignOut = strict({
  confirm: Type.String({ maxLength: 40, description: 'The slug of the workspace.', examples: ['acme'] }),
})

export const WorkspaceSignedOut = strict({
  sessions_revoked: Type.Integer({ description: 'Includes impersonations and other sessions of the caller.' }),
  users_signed_out: Type.Integer({ description: 'Users other than the caller.' }),
})

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
