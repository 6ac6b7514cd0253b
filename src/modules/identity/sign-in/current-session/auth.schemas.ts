import { type Static, Type } from 'typebox'
import { Email, Id, named, nullable, strict, Timestamp } from '#platform/schema'
import { NavigationPreferences } from '../../workspace/preferences/preferences.schemas.ts'
import { BrandingSettings, GeneralSettings, SignupSettings } from '../../workspace/settings/settings.schemas.ts'
import { User } from '../../workspace/user-records/users.schemas.ts'

const TokenText = Type.String({ minLength: 1, maxLength: 4_096 })

export const RefreshRequest = strict({ refresh_token: Type.Optional(TokenText) })

export const LogoutRequest = Type.Object(
  { refresh_token: Type.Optional(TokenText) },
  { additionalProperties: false, default: {} },
)

export const LoggedOut = strict({ status: Type.Literal('logged_out'), sessions_ended: Type.Integer() })

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
    tenant: strict({
      id: Id,
      slug: Type.String(),
      name: Type.String(),
      branding: BrandingSettings,
      general: Type.Omit(GeneralSettings, ['name']),
    }),
    scopes: Type.Array(Type.String()),
    permissions: Type.Record(Type.String(), Type.Enum(['own', 'all'])),
    capabilities: strict({ ai: Type.Boolean(), mail: Type.Boolean(), enrichment: Type.Boolean() }),
    unread_notifications: Type.Integer({ minimum: 0, maximum: 100 }),
    preferences: nullable(NavigationPreferences),
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

/** Stored with a task. Permissions are not stored: they are checked again before every batch. */
export const TaskRequester = strict({
  type: Type.Enum(['user', 'api_key', 'impersonation']),
  userId: Id,
  actorUserId: nullable(Id),
  sessionId: nullable(Id),
  apiKeyId: nullable(Id),
})
export type TaskRequester = Static<typeof TaskRequester>
