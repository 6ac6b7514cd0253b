import { type Static, Type } from 'typebox'
import { Id, named, nullable, strict } from '#platform/schema'
import { TokenResponse } from '../../credentials/tokens/token-response.schemas.ts'

export const NewImpersonation = strict({
  reason: Type.String({
    minLength: 5,
    maxLength: 500,
    description: 'Shown to the user and recorded in the audit log.',
    examples: ['They called because a report does not open.'],
  }),
  duration_seconds: Type.Optional(
    Type.Integer({ minimum: 300, maximum: 3_600, default: 1_800, description: 'Duration of the session.' }),
  ),
})
export type NewImpersonation = Static<typeof NewImpersonation>

export const Impersonation = named(
  'Impersonation',
  strict({
    access_token: nullable(Type.String({ description: 'Only returned once.' })),
    refresh_token: Type.Null({ description: 'Always null; impersonation sessions cannot be refreshed.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds until the session ends.' }),
    must_change_password: Type.Literal(false),
    session_id: Id,
    user: TokenResponse.properties.user,
  }),
)
export type Impersonation = Static<typeof Impersonation>
