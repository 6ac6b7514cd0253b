import { type TSchema, Type } from 'typebox'

const flag = (description: string) => Type.Boolean({ default: false, description })
const text = (description: string, options: { default?: string; pattern?: string } = {}) =>
  Type.String({ maxLength: 4_096, description, ...options })
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const count = (description: string, bounds: { default: number; minimum: number; maximum: number }) =>
  Type.Integer({ description, ...bounds })

/** Everything that can be set from outside, under the name of its environment variable. Documentation is made from this. */
export const settings = Type.Object({
  NODE_ENV: Type.Enum(['production', 'development', 'test'], {
    default: 'production',
    description: 'Strictness of the start-up checks.',
  }),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], {
    default: 'info',
    description: 'How much is logged.',
  }),
  HOST: text('Address to listen on.', { default: '127.0.0.1' }),
  PORT: count('Port of the API.', { default: 3000, minimum: 0, maximum: 65_535 }),
  METRICS_PORT: count('Port of the Prometheus metrics; 0 takes a free one.', {
    default: 9464,
    minimum: 0,
    maximum: 65_535,
  }),
  APP_DOMAIN: text('Domain under which every workspace has its subdomain.', {
    default: 'localhost',
    pattern: '^[a-z0-9.-]+$',
  }),
  APP_SCHEME: Type.Enum(['https', 'http'], { default: 'https', description: 'Scheme of the links in mails.' }),
  APP_PORT: optional(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      description: 'Port in the links in mails, if it is not the usual one.',
    }),
  ),
  DEFAULT_TENANT_SLUG: optional(text('Development only: the workspace behind hosts that name none.')),
  TRUSTED_PROXIES: text('CIDR ranges of proxies whose X-Forwarded-For is believed, separated by commas.', {
    default: '',
  }),
  RESERVED_SLUGS: text('Further names no workspace may take, separated by commas.', { default: '' }),
  DATABASE_URL: text('PostgreSQL for requests, as the role app.', {
    default: 'postgres://app@127.0.0.1:5432/tributary',
  }),
  DATABASE_SYSTEM_URL: text('PostgreSQL for work across tenants, as the role app_system.', {
    default: 'postgres://app_system@127.0.0.1:5432/tributary',
  }),
  DATABASE_OWNER_URL: optional(text('PostgreSQL for migrate, as the owner of the schema.')),
  DATABASE_POOL_SIZE: count('Connections per process for requests.', { default: 8, minimum: 1, maximum: 200 }),
  REDIS_URL: optional(text('Redis or Valkey. Without it each process keeps its own cache and counters.')),
  SMTP_URL: optional(
    text(
      'Mail server, smtp://user:password@host:port. Without it mails are tried for about an hour, then lie among the dead letters.',
    ),
  ),
  MAIL_FROM: text('Address mails come from.', { default: 'no-reply@localhost' }),
  STORAGE_URL: text('Where files lie: file:///var/lib/tributary, or s3://bucket/prefix.', {
    default: 'file:./.dev/files',
  }),
  S3_ENDPOINT: optional(text('Address of an S3-compatible store other than AWS.')),
  S3_REGION: text('Region of the bucket.', { default: 'us-east-1' }),
  S3_ACCESS_KEY_ID: optional(text('Access key of the bucket.')),
  S3_SECRET_ACCESS_KEY: optional(text('Secret key of the bucket.')),
  SIGNING_KEYS: text(
    'Keys that sign tokens, kid:base64url of 32 bytes, separated by commas; the first one signs, at most 3.',
    { default: '' },
  ),
  SECRETS_KEYS: text(
    'Keys that encrypt secrets at rest, kid:base64url of 32 bytes, separated by commas; the first one encrypts.',
    { default: '' },
  ),
  GOOGLE_CLIENT_ID: optional(text('Client of this installation at Google. Without it nobody signs in with Google.')),
  GOOGLE_CLIENT_SECRET: optional(text('Secret of that client.')),
  GOOGLE_REDIRECT_URI: optional(
    text('Where Google sends people back to, as registered there. Unset: the callback on the main domain.'),
  ),
  GOOGLE_ISSUER: text('Who vouches for Google accounts. Only tests and development name another one.', {
    default: 'https://accounts.google.com',
  }),
  RATE_LIMIT_FACTOR: Type.Number({
    default: 1,
    minimum: 0,
    maximum: 100,
    description: 'Scales every rate limit; 0 switches them off outside production.',
  }),
  RATE_LIMIT_INSTANCES: count('API processes that share the limits while Redis is away.', {
    default: 1,
    minimum: 1,
    maximum: 1_000,
  }),
  DRAIN_SECONDS: count('How long a process that is to stop goes on serving, so that load balancers notice.', {
    default: 5,
    minimum: 0,
    maximum: 60,
  }),
  OVERLOAD_DELAY_MS: count('How late the event loop may run before requests are turned away with 503; 0 never does.', {
    default: 2_000,
    minimum: 0,
    maximum: 60_000,
  }),
  SAFE_FETCH_ALLOW_PRIVATE: flag('Development only: outgoing requests may reach private addresses.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(text('Where traces are sent (OTLP over HTTP). Without it nothing is traced.')),
})
