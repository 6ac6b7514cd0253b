import { type Static, Type } from 'typebox'
import { roles } from '#platform/access'
import { Email, Id, named, nullable, strict } from '#platform/schema'

export const TokenResponse = named(
  'TokenResponse',
  strict({
    access_token: Type.String(),
    refresh_token: nullable(Type.String({ description: 'Null if it is delivered in a cookie.' })),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds until the access token expires.' }),
    refresh_expires_in: Type.Integer({ description: 'Seconds until the refresh token expires if it is not used.' }),
    must_change_password: Type.Boolean({
      description: 'All other requests are rejected until the password is changed.',
    }),
    email_verification_required: Type.Boolean(),
    user: strict({ id: Id, email: Email, name: Type.String(), role: Type.Enum([...roles]) }),
  }),
)
export type TokenResponse = Static<typeof TokenResponse>
