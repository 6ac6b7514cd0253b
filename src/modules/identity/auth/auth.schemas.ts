import { type Static, Type } from 'typebox'
import { roles } from '#platform/access'
import { Email, Id, named, nullable, strict, Timestamp } from '#platform/schema'
import { maxPasswordLength } from '../passwords/password.rules.ts'
import { BrandingSettings, SignupSettings } from '../settings/settings.schemas.ts'
import { User } from '../users/users.schemas.ts'

/** An existing password may predate the current length limits. */
const Password = Type.String({ minLength: 1, maxLength: 1_024 })
/** The minimum length is a workspace setting. */
export const NewPassword = Type.String({ minLength: 1, maxLength: maxPasswordLength })
const TokenText = Type.String({ minLength: 1, maxLength: 4_096 })
export const LinkToken = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', minLength: 43, maxLength: 43 })

export const Credentials = strict({ email: Type.String({ minLength: 3, maxLength: 254 }), password: Password })
export type Credentials = Static<typeof Credentials>

export const RefreshRequest = strict({ refresh_token: TokenText })

export const LogoutRequest = Type.Object(
  { refresh_token: Type.Optional(TokenText) },
  { additionalProperties: false, default: {} },
)

export const PasswordChange = strict({
  current_password: Password,
  new_password: NewPassword,
  revoke_api_keys: Type.Optional(Type.Boolean({ default: false, description: 'Also revoke your API keys.' })),
})
export type PasswordChange = Static<typeof PasswordChange>

export const PasswordResetRequest = strict({ email: Email })

export const PasswordReset = strict({ token: LinkToken, new_password: NewPassword })
export type PasswordReset = Static<typeof PasswordReset>

const tokenFields = {
  access_token: Type.String(),
  refresh_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds until the access token expires.' }),
  refresh_expires_in: Type.Integer({ description: 'Seconds until the refresh token expires if it is not used.' }),
  must_change_password: Type.Boolean({ description: 'All other requests are rejected until the password is changed.' }),
  email_verification_required: Type.Boolean(),
  user: strict({ id: Id, email: Email, name: Type.String(), role: Type.Enum([...roles]) }),
}

export const TokenResponse = named('TokenResponse', strict(tokenFields))
export type TokenResponse = Static<typeof TokenResponse>

export const PasswordChanged = named(
  'PasswordChanged',
  strict({ ...tokenFields, sessions_revoked: Type.Integer(), api_keys_revoked: Type.Integer() }),
)

export const LoggedOut = strict({ status: Type.Literal('logged_out'), sessions_ended: Type.Integer() })
export const PasswordResetAccepted = strict({ status: Type.Literal('accepted') })
export const PasswordResetResult = strict({ status: Type.Literal('password_reset'), sessions_revoked: Type.Integer() })

const CurrentSession = strict({
  id: Id,
  auth_method: Type.String(),
  authenticated_at: Timestamp,
  expires_at: Timestamp,
})
const CurrentKey = strict({ id: Id, name: Type.String(), preset: nullable(Type.String()) })
const Impersonation = strict({
  actor: strict({ id: Id, name: Type.String(), email: Email }),
  reason: nullable(Type.String()),
  expires_at: Timestamp,
})

export const Me = named(
  'Me',
  strict({
    ...User.properties,
    must_change_password: Type.Boolean(),
    tenant: strict({ id: Id, slug: Type.String(), name: Type.String(), branding: BrandingSettings }),
    scopes: Type.Array(Type.String()),
    session: nullable(CurrentSession),
    api_key: nullable(CurrentKey),
    impersonation: nullable(Impersonation),
    email_verification_required: Type.Boolean(),
  }),
)
export type Me = Static<typeof Me>

const Provider = strict({
  name: Type.Enum(['google', 'okta']),
  display_name: Type.String(),
  enabled: Type.Boolean(),
  start_url: Type.String(),
})

export const SsoProviders = strict({
  providers: Type.Array(Provider),
  password_login: Type.Boolean(),
  sso_enforced: Type.Boolean(),
  signup: SignupSettings.properties.policy,
})
export type SsoProviders = Static<typeof SsoProviders>
