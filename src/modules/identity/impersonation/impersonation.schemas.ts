import { type Static, Type } from 'typebox'
import { Id, named, nullable, strict } from '#platform/schema'
import { TokenResponse } from '../auth/auth.schemas.ts'

export const Impersonating = strict({
  reason: Type.String({
    minLength: 5,
    maxLength: 500,
    description: 'Why. The person is told, and it stands in the audit trail.',
    examples: ['They called because a report does not open.'],
  }),
  duration_seconds: Type.Optional(
    Type.Integer({ minimum: 300, maximum: 3_600, default: 1_800, description: 'After so long it ends by itself.' }),
  ),
})
export type Impersonating = Static<typeof Impersonating>

export const Impersonation = named(
  'Impersonation',
  strict({
    access_token: nullable(Type.String({ description: 'Shown once.' })),
    refresh_token: Type.Null({ description: 'There is none: it ends when its time is over.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds until it ends.' }),
    must_change_password: Type.Literal(false),
    session_id: Id,
    user: TokenResponse.properties.user,
  }),
)
export type Impersonation = Static<typeof Impersonation>
