import { type TSchema, Type } from 'typebox'

const flag = (description: string) => Type.Boolean({ default: false, description })
const text = (description: string, options: { default?: string; pattern?: string } = {}) =>
  Type.String({ maxLength: 4_096, description, ...options })
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const count = (description: string, bounds: { default: number; minimum: number; maximum: number }) =>
  Type.Integer({ description, ...bounds })

export const googleIssuer = 'https://accounts.google.com'

/** Environment variables; the table in docs/operations.md is generated from this schema. */
export const settings = Type.Object({
  NODE_ENV: Type.Enum(['production', 'development', 'test'], {
    default: 'production',
    description: 'Strictness of the start-up checks.',
  }),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], {
    default: 'info',
    description: 'Minimum level of log messages.',
  }),
  HOST: text('IP address to listen on.', { default: '127.0.0.1' }),
  PORT: count('Port of the API.', { default: 3000, minimum: 0, maximum: 65_535 }),
  METRICS_PORT: count('Port of the Prometheus metrics; 0 selects a free one.', {
    default: 9464,
    minimum: 0,
    maximum: 65_535,
  }),
  APP_DOMAIN: text('Domain under which every workspace has its subdomain.', {
    default: 'localhost',
    pattern: '^[a-z0-9.-]+$',
  }),
  APP_SCHEME: Type.Enum(['https', 'http'], {
    default: 'https',
    description: 'Scheme of links in emails. In production, http is only allowed for localhost.',
  }),
  APP_PORT: optional(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      description: 'Port of links in emails, if it is not the default of the scheme.',
    }),
  ),
  WEB_FILES: text('Path of the built web application. If it is not built, only the API is served.', {
    default: 'web/dist',
  }),
  DEFAULT_TENANT_SLUG: optional(text('Development only: the workspace of hosts without a workspace subdomain.')),
  TRUSTED_PROXIES: text('CIDR ranges of proxies whose X-Forwarded-For is trusted, separated by commas.', {
    default: '',
  }),
  RESERVED_SLUGS: text('Additional slugs that no workspace can use, separated by commas.', { default: '' }),
  DATABASE_URL: text('PostgreSQL for requests, as the role app.', {
    default: 'postgres://app@127.0.0.1:5432/tributary',
  }),
  DATABASE_SYSTEM_URL: text('PostgreSQL for work across tenants, as the role app_system.', {
    default: 'postgres://app_system@127.0.0.1:5432/tributary',
  }),
  DATABASE_OWNER_URL: optional(text('PostgreSQL for migrate, as the owner of the schema.')),
  DATABASE_POOL_SIZE: count(
    'Connections per process for requests; a worker has more if a third of its job slots needs them.',
    { default: 8, minimum: 1, maximum: 200 },
  ),
  DATABASE_MAX_WAITING: count(
    'Transactions of a process that may wait for a connection; while more wait, new requests are rejected with 503.',
    { default: 200, minimum: 1, maximum: 100_000 },
  ),
  DATABASE_WAIT_MS: count('Time that a request may wait for a connection before it is rejected with 429 or 503.', {
    default: 2_000,
    minimum: 100,
    maximum: 60_000,
  }),
  REDIS_URL: optional(text('Redis or Valkey. Without it each process keeps its own cache and counters.')),
  SMTP_URL: optional(
    text(
      'Mail server, smtp://user:password@host:port. Without it emails are retried for about an hour, then move to the dead-letter queue.',
    ),
  ),
  MAIL_FROM: text('Sender address of emails.', { default: 'no-reply@localhost' }),
  STORAGE_URL: text('File storage location: file:///var/lib/tributary, or s3://bucket/prefix.', {
    default: 'file:./.dev/files',
  }),
  S3_ENDPOINT: optional(text('URL of an S3-compatible store other than AWS.')),
  S3_REGION: text('Region of the bucket.', { default: 'us-east-1' }),
  S3_ACCESS_KEY_ID: optional(text('Access key of the bucket.')),
  S3_SECRET_ACCESS_KEY: optional(text('Secret key of the bucket.')),
  CLAMD_URL: optional(
    text('Virus scanner clamd, tcp://host:port or unix:/path. Without it uploaded files are not scanned.'),
  ),
  SIGNING_KEYS: text(
    'Keys that sign tokens, kid:base64url of 32 bytes, separated by commas; the first one signs, at most 3.',
    { default: '' },
  ),
  SECRETS_KEYS: text(
    'Keys that encrypt secrets at rest, kid:base64url of 32 bytes, separated by commas; the first one encrypts.',
    { default: '' },
  ),
  AUDIT_SEAL_KEYS: text(
    'Workers only: keys that sign the audit log, kid:base64url of 32 bytes, separated by commas; the first one signs.',
    { default: '' },
  ),
  GOOGLE_CLIENT_ID: optional(text('OAuth client id at Google. Without it signing in with Google is disabled.')),
  GOOGLE_CLIENT_SECRET: optional(text('OAuth client secret at Google.')),
  GOOGLE_REDIRECT_URI: optional(text('Redirect URI registered at Google. Default: the callback on the main domain.')),
  GOOGLE_ISSUER: text('OpenID issuer of Google accounts; can only be changed in tests and development.', {
    default: googleIssuer,
  }),
  RATE_LIMIT_FACTOR: Type.Number({
    default: 1,
    minimum: 0,
    maximum: 100,
    description: 'Scales every rate limit; 0 disables them (not in production).',
  }),
  RATE_LIMIT_INSTANCES: count('API processes that share the limits while Redis is unavailable.', {
    default: 1,
    minimum: 1,
    maximum: 1_000,
  }),
  DRAIN_SECONDS: count('Seconds a stopping process continues to serve requests, so that load balancers notice.', {
    default: 5,
    minimum: 0,
    maximum: 60,
  }),
  SLOW_STATEMENT_MS: count(
    'Duration from which a statement is sampled for `GET /api/admin/slow-queries`; 0 disables it.',
    {
      default: 500,
      minimum: 0,
      maximum: 60_000,
    },
  ),
  OVERLOAD_DELAY_MS: count('Event loop delay above which requests are rejected with 503; 0 disables the check.', {
    default: 2_000,
    minimum: 0,
    maximum: 60_000,
  }),
  WATCHDOG_SECONDS: count(
    'Time without any progress of the event loop after which a process logs what it works on and ends; 0 disables it.',
    { default: 30, minimum: 0, maximum: 3_600 },
  ),
  SAFE_FETCH_ALLOW_PRIVATE: flag('Development only: outgoing requests may reach private addresses.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    text('URL that traces are sent to (OTLP over HTTP). Without it tracing is disabled.'),
  ),
})
