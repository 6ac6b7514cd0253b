import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { Domain, Line, strict } from '#platform/schema'

const flag = (defaultValue: boolean, description: string) => Type.Boolean({ default: defaultValue, description })
const number = (defaultValue: number, minimum: number, maximum: number, description?: string) =>
  Type.Integer({ default: defaultValue, minimum, maximum, description })
const choice = <const V extends string[]>(values: [...V], defaultValue: V[number], description?: string) =>
  Type.Enum(values, { default: defaultValue, description })
const optional = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], { default: null, description })
const group = <T extends TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false, default: {} })

const HttpsUrl = Type.String({ format: 'uri', pattern: '^https://', maxLength: 2_048 })
/** Allows a provider on the developer's machine; in production, egress blocks such requests. */
const Issuer = Type.String({ format: 'uri', pattern: '^(https://|http://127\\.0\\.0\\.1:)', maxLength: 2_048 })
const domains = (description: string) =>
  Type.Array(Domain, { default: [], maxItems: 50, uniqueItems: true, description })

export const GeneralSettings = strict({
  name: Line(120),
  timezone: Type.String({
    default: 'UTC',
    minLength: 1,
    maxLength: 64,
    description: 'IANA time zone of the workspace. Days and fiscal quarters start at midnight in this time zone.',
  }),
  locale: Type.String({
    default: 'en',
    pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
    maxLength: 35,
    description: 'BCP 47 language tag.',
  }),
  currency: Type.String({
    default: 'EUR',
    pattern: '^[A-Z]{3}$',
    description: 'Base currency for totals (ISO 4217). Cannot be changed once a quota is stored.',
  }),
  fiscal_year_start_month: number(1, 1, 12, 'First month of the fiscal year (1 = January).'),
  week_starts_on: choice(['monday', 'sunday', 'saturday'], 'monday', 'First day of the week.'),
})
export type GeneralSettings = Static<typeof GeneralSettings>

export const BrandingSettings = strict({
  logo_url: optional(HttpsUrl, 'URL of the logo. Must begin with https://.'),
  primary_color: optional(
    Type.String({ pattern: '^#[0-9a-f]{6}$' }),
    'Accent color of the sign-in pages, as lowercase hex, for example #0a7cff.',
  ),
  email_from_name: optional(
    Type.String({ minLength: 1, maxLength: 78, pattern: '^[^\\r\\n]+$' }),
    'Sender name of emails. Default: the name of the workspace.',
  ),
  email_footer: optional(
    Type.String({ minLength: 1, maxLength: 500 }),
    'Plain text that is added to the end of every email.',
  ),
})
export type BrandingSettings = Static<typeof BrandingSettings>

export const SecuritySettings = strict({
  activity_threshold_seconds: number(
    900,
    60,
    86_400,
    'Seconds since the last request within which a session counts as active.',
  ),
  session_idle_days: number(14, 1, 30, 'Idle timeout of a session in days.'),
  session_max_days: number(30, 1, 90, 'Maximum session lifetime in days, regardless of use.'),
  password_min_length: number(12, 8, 64, 'Minimum length of new passwords in characters.'),
  password_reset_delivery: choice(
    ['temporary_password', 'email_link'],
    'temporary_password',
    'Result of a password reset by an admin: a temporary password for the admin to pass on, or a link emailed to the user.',
  ),
  api_key_policy: choice(['all_users', 'admins_only'], 'all_users', 'Users who can create API keys.'),
  api_key_max_days: optional(
    Type.Integer({ minimum: 1, maximum: 730 }),
    'Maximum lifetime of new API keys in days. If set, new keys must have an expiry date; null means no limit.',
  ),
  impersonation_enabled: flag(true, 'Allows admins to impersonate other users.'),
  impersonation_admin_targets: flag(false, 'Allows admins to impersonate other admins.'),
  impersonation_notify: flag(true, 'Notifies users by email when they are impersonated.'),
  code_viewer_enabled: flag(false, 'Allows admins to read the source code of this service.'),
})
export type SecuritySettings = Static<typeof SecuritySettings>

export const SignupSettings = strict({
  policy: choice(
    ['closed', 'domain', 'open'],
    'closed',
    '`closed`: by invitation only; `domain`: email addresses of `allowed_email_domains`; `open`: any email address.',
  ),
  allowed_email_domains: domains(
    'Domains for the policy `domain` and for accounts created by single sign-on. Subdomains are not included; public email ' +
      'providers are not allowed.',
  ),
  default_role: choice(['viewer', 'member'], 'viewer', 'Role of users who sign up.'),
  require_verified_email: flag(true, 'Restricts new users to `/api/auth/*` until they verify their email address.'),
})
export type SignupSettings = Static<typeof SignupSettings>

export const SsoSettings = strict({
  jit_provisioning: flag(
    false,
    'Creates an account at the first single sign-on of an unknown user. With Google, requires `google.allowed_hosted_domains` or ' +
      '`signup.allowed_email_domains`.',
  ),
  default_role: choice(
    ['viewer', 'member', 'manager'],
    'member',
    'Role of accounts that are created by single sign-on.',
  ),
  enforced: flag(
    false,
    'Disables sign-in with a password and ends the sessions that were started with one, except for admins. Requires an enabled ' +
      'provider and an active admin with a password.',
  ),
  google: group({
    enabled: flag(false, 'Allows sign-in with Google.'),
    allowed_hosted_domains: domains('Google Workspace domains that may sign in. Empty: any Google account.'),
  }),
  okta: group({
    enabled: flag(false, 'Allows sign-in with Okta. Requires `issuer`, `client_id` and `client_secret`.'),
    issuer: optional(Issuer, 'Issuer URL of the Okta authorization server. Must begin with https://.'),
    client_id: optional(Line(255), 'Client ID of the Okta application.'),
    trust_unverified_email: flag(false, 'Accepts email addresses that Okta does not report as verified.'),
  }),
})
export type SsoSettings = Static<typeof SsoSettings>

export const AiSettings = strict({
  provider: choice(
    ['none', 'openai_compatible', 'anthropic'],
    'none',
    '`none` disables the language model; built-in rules are used instead.',
  ),
  base_url: optional(HttpsUrl, 'Base URL of the API. Required for `openai_compatible`.'),
  model: optional(Line(200), 'Model name. Required unless `provider` is `none`.'),
  monthly_token_limit: optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
    'Maximum number of tokens per month; null means no limit. When it is reached, built-in rules are used.',
  ),
})
export type AiSettings = Static<typeof AiSettings>

export const RetentionSettings = strict({
  audit_log_days: number(365, 90, 3_650, 'Days to keep audit log entries.'),
  login_history_days: number(180, 30, 730, 'Days to keep the sign-in history.'),
  webhook_delivery_days: number(30, 7, 90, 'Days to keep webhook deliveries.'),
  task_days: number(30, 7, 365, 'Days to keep finished tasks.'),
  plg_event_days: number(760, 90, 1_825, 'Days to keep product usage events.'),
  backup_keep: number(14, 1, 60, 'Number of backups to keep, without those written before a deletion.'),
  backup_files: Type.Boolean({ default: false, description: 'Whether nightly backups contain uploaded files.' }),
})
export type RetentionSettings = Static<typeof RetentionSettings>
