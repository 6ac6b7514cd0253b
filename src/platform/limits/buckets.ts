/** So many in so long, evenly refilled; `burst` is how many may come at once (as many as the limit, if not said). */
export type Allowance = { name: string; limit: number; windowSeconds: number; burst?: number }

/** An allowance of somebody: a network, a session, a tenant. */
export type Bucket = Allowance & { key: string }

const minute = 60
const hour = 3_600
const day = 86_400

/** Every limit of the service. The key of each is in its comment. */
export const buckets = {
  /** Network; requests without a valid credential. */
  anonymous: { name: 'anonymous', limit: 600, windowSeconds: minute, burst: 200 },
  /** Session or API key. */
  session: { name: 'session', limit: 1_200, windowSeconds: minute, burst: 300 },
  /** Tenant. */
  tenant: { name: 'tenant', limit: 30_000, windowSeconds: minute },
  /** Network; login, reset, exchange, refresh, verify. */
  signIn: { name: 'sign_in', limit: 60, windowSeconds: minute },
  /** Network. */
  signup: { name: 'signup', limit: 10, windowSeconds: hour },
  /** Tenant. */
  signupTenant: { name: 'signup_tenant', limit: 200, windowSeconds: day },
  /** Network. */
  forgot: { name: 'forgot', limit: 20, windowSeconds: hour },
  /** Network; start and callback. */
  sso: { name: 'sso', limit: 60, windowSeconds: minute },
  /** Network. */
  healthDeep: { name: 'health_deep', limit: 60, windowSeconds: minute },
  /** API key and address; how often it is written down that the key came from where it may not. */
  refusedAddress: { name: 'refused_address', limit: 1, windowSeconds: minute },
  /** User; code viewer, slow queries, architecture. */
  heavyRead: { name: 'heavy_read', limit: 60, windowSeconds: minute },
  /** User; questions that a model may answer. */
  ai: { name: 'ai', limit: 30, windowSeconds: minute },
} as const satisfies Record<string, Allowance>
