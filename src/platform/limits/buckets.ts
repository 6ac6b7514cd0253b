/** `limit` requests per window, refilled evenly; `burst` is the bucket size (default: `limit`). */
export type RateLimit = { name: string; limit: number; windowSeconds: number; burst?: number }

export type Bucket = RateLimit & { key: string }

const minute = 60
const hour = 3_600
const day = 86_400

/** All rate limits, grouped by the key that identifies the caller. */
export const buckets = {
  // Network. `anonymous` counts refused requests and those without a credential, `signIn` all routes that check a password or token.
  anonymous: { name: 'anonymous', limit: 600, windowSeconds: minute, burst: 200 },
  signIn: { name: 'sign_in', limit: 60, windowSeconds: minute },
  signup: { name: 'signup', limit: 10, windowSeconds: hour },
  forgot: { name: 'forgot', limit: 20, windowSeconds: hour },
  sso: { name: 'sso', limit: 60, windowSeconds: minute },
  healthDeep: { name: 'health_deep', limit: 60, windowSeconds: minute },
  anonymousPrefix: { name: 'anonymous_prefix', limit: 6_000, windowSeconds: minute, burst: 2_000 },
  // Session or API key.
  session: { name: 'session', limit: 1_200, windowSeconds: minute, burst: 300 },
  apiKey: { name: 'api_key', limit: 1_200, windowSeconds: minute, burst: 300 },
  // Tenant.
  tenant: { name: 'tenant', limit: 30_000, windowSeconds: minute },
  signupTenant: { name: 'signup_tenant', limit: 200, windowSeconds: day },
  // User. `user` counts the requests of all their sessions and API keys, `ai` requests that may call a model.
  user: { name: 'user', limit: 6_000, windowSeconds: minute, burst: 1_500 },
  heavyRead: { name: 'heavy_read', limit: 60, windowSeconds: minute },
  ai: { name: 'ai', limit: 30, windowSeconds: minute },
  // API key and IP address: limits the audit entries for requests from IP addresses that are not allowed.
  rejectedIp: { name: 'refused_address', limit: 1, windowSeconds: minute },
} as const satisfies Record<string, RateLimit>
