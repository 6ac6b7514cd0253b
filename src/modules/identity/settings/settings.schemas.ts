import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { Line, strict } from '#platform/schema'

const flag = (preset: boolean, description: string) => Type.Boolean({ default: preset, description })
const number = (preset: number, minimum: number, maximum: number, description?: string) =>
  Type.Integer({ default: preset, minimum, maximum, description })
const choice = <const V extends string[]>(values: [...V], preset: V[number], description?: string) =>
  Type.Enum(values, { default: preset, description })
const unset = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], { default: null, description })
const part = <T extends TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false, default: {} })

const WebAddress = Type.String({ format: 'uri', pattern: '^https://', maxLength: 2_048 })
/** A provider on the developer's own machine does without https. In production no request leaves for there. */
const Issuer = Type.String({ format: 'uri', pattern: '^(https://|http://127\\.0\\.0\\.1:)', maxLength: 2_048 })
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const Domain = Type.String({ pattern: `^${label}(?:\\.${label})+$`, minLength: 4, maxLength: 253 })
const domains = (description: string) =>
  Type.Array(Domain, { default: [], maxItems: 50, uniqueItems: true, description })

export const GeneralSettings = strict({
  name: Line(120),
  timezone: Type.String({ default: 'UTC', minLength: 1, maxLength: 64, description: 'An IANA time zone.' }),
  locale: Type.String({ default: 'en', pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35 }),
  currency: Type.String({
    default: 'EUR',
    pattern: '^[A-Z]{3}$',
    description: 'The base currency of every sum (ISO 4217). It cannot change once an amount is stored.',
  }),
  fiscal_year_start_month: number(1, 1, 12),
  week_starts_on: choice(['monday', 'sunday', 'saturday'], 'monday'),
})
export type GeneralSettings = Static<typeof GeneralSettings>

export const BrandingSettings = strict({
  logo_url: unset(WebAddress),
  primary_color: unset(Type.String({ pattern: '^#[0-9a-f]{6}$' })),
  email_from_name: unset(Type.String({ minLength: 1, maxLength: 78, pattern: '^[^\\r\\n]+$' })),
  email_footer: unset(Type.String({ minLength: 1, maxLength: 500 }), 'Plain text at the end of every mail.'),
})
export type BrandingSettings = Static<typeof BrandingSettings>

export const SecuritySettings = strict({
  activity_threshold_seconds: number(900, 60, 86_400, 'How long someone counts as online after their last request.'),
  session_idle_days: number(14, 1, 30, 'A session that is not used for so long ends.'),
  session_max_days: number(30, 1, 90, 'A session ends so long after sign-in, used or not.'),
  password_min_length: number(12, 8, 64),
  password_reset_delivery: choice(['temporary_password', 'email_link'], 'temporary_password'),
  api_key_policy: choice(['all_users', 'admins_only'], 'all_users', 'Who may make API keys.'),
  api_key_max_days: unset(Type.Integer({ minimum: 1, maximum: 730 }), 'API keys must expire within so many days.'),
  impersonation_enabled: flag(true, 'Admins may act as another user.'),
  impersonation_admin_targets: flag(false, 'Admins may act as another admin.'),
  impersonation_notify: flag(true, 'Whoever was impersonated is told by mail.'),
  code_viewer_enabled: flag(true, 'Admins may read the source of this service.'),
})
export type SecuritySettings = Static<typeof SecuritySettings>

export const SignupSettings = strict({
  policy: choice(['closed', 'domain', 'open'], 'closed', 'Who may sign up: nobody, listed domains, or anyone.'),
  allowed_email_domains: domains('Exact domains, without their subdomains. Public mail providers are refused.'),
  default_role: choice(['viewer', 'member'], 'viewer'),
  require_verified_email: flag(true, 'A new account is limited until its address is verified.'),
})
export type SignupSettings = Static<typeof SignupSettings>

export const SsoSettings = strict({
  jit_provisioning: flag(false, 'An account is made at the first sign-on.'),
  default_role: choice(['viewer', 'member', 'manager'], 'member', 'Role of accounts made at the first sign-on.'),
  enforced: flag(false, 'Everyone but admins must use single sign-on.'),
  google: part({
    enabled: flag(false, 'People may sign in with Google.'),
    allowed_hosted_domains: domains('Google Workspace domains; empty means any.'),
  }),
  okta: part({
    enabled: flag(false, 'People may sign in with Okta.'),
    issuer: unset(Issuer),
    client_id: unset(Line(255)),
    trust_unverified_email: flag(false, 'Take addresses from Okta as verified, whatever it says about them.'),
  }),
})
export type SsoSettings = Static<typeof SsoSettings>

export const AiSettings = strict({
  provider: choice(['none', 'openai_compatible', 'anthropic'], 'none'),
  base_url: unset(WebAddress),
  model: unset(Line(200)),
  monthly_token_limit: unset(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })),
})
export type AiSettings = Static<typeof AiSettings>

export const RetentionSettings = strict({
  audit_log_days: number(365, 90, 3_650),
  login_history_days: number(180, 30, 730),
  webhook_delivery_days: number(30, 7, 90),
  task_days: number(30, 7, 365),
  plg_event_days: number(760, 90, 1_825),
  backup_keep: number(14, 1, 60, 'How many backups are kept.'),
})
export type RetentionSettings = Static<typeof RetentionSettings>
