import { type Static, Type } from 'typebox'
import { Email, named, strict } from '#platform/schema'
import { RefreshTokenDelivery } from '../tokens/refresh-cookie.ts'
import { TokenResponse } from '../tokens/token-response.schemas.ts'
import { maxPasswordLength } from './password.rules.ts'

/** An existing password may predate the current length limits. */
export const Password = Type.String({ minLength: 1, maxLength: 1_024 })

/** The minimum length is a workspace setting. */
export const NewPassword = Type.String({ minLength: 1, maxLength: maxPasswordLength })

export const LinkToken = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', minLength: 43, maxLength: 43 })

export const PasswordChange = strict({
  current_password: Password,
  new_password: NewPassword,
  revoke_api_keys: Type.Optional(Type.Boolean({ default: false, description: 'Also revoke your API keys.' })),
  refresh_token_delivery: RefreshTokenDelivery,
})
export type PasswordChange = Static<typeof PasswordChange>

export const PasswordResetRequest = strict({ email: Email })

export const PasswordReset = strict({ token: LinkToken, new_password: NewPassword })
export type PasswordReset = Static<typeof PasswordReset>

export const PasswordChanged = named(
  'PasswordChanged',
  strict({ ...TokenResponse.properties, sessions_revoked: Type.Integer(), api_keys_revoked: Type.Integer() }),
)

export const PasswordResetAccepted = strict({ status: Type.Literal('accepted') })

export const PasswordResetResult = strict({ status: Type.Literal('password_reset'), sessions_revoked: Type.Integer() })
