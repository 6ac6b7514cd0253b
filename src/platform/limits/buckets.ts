/** `limit` requests per window, refilled evenly; `burst` is the bucket size (default: `limit`). */
export type RateLimit = { name: string; limit: number; windowSeconds: number; burst?: number }

export type Bucket = RateLimit & { key: string }

const minute = 60

/** Rate limits of all routes, grouped by the key that identifies the caller. Limits of single routes are in their modules. */
export const buckets = {
  // Network. `anonymous` counts refused requests and those without a credential.
  anonymous: { name: 'anonymous', limit: 600, windowSeconds: minute, burst: 200 },
  anonymousPrefix: { name: 'anonymous_prefix', limit: 6_000, windowSeconds: minute, burst: 2_000 },
  unknownToken: { name: 'unknown_token', limit: 20, windowSeconds: 10 * minute },
  // Session or API key.
  session: { name: 'session', limit: 1_200, windowSeconds: minute, burst: 300 },
  apiKey: { name: 'api_key', limit: 1_200, windowSeconds: minute, burst: 300 },
  // Tenant.
  tenant: { name: 'tenant', limit: 30_000, windowSeconds: minute },
  // Units of 64 KiB in JSON bodies of more than one unit: 2 MiB per second, which take a few percent of a processor.
  largeBodies: { name: 'large_bodies', limit: 1_920, windowSeconds: minute, burst: 640 },
  // User. `user` counts the requests of all their sessions and API keys, `ai` requests that may call a model.
  user: { name: 'user', limit: 6_000, windowSeconds: minute, burst: 1_500 },
  ai: { name: 'ai', limit: 30, windowSeconds: minute },
  // API key and IP address: limits the audit entries for requests from IP addresses that are not allowed.
  rejectedIp: { name: 'refused_address', limit: 1, windowSeconds: minute },
} as const satisfies Record<string, RateLimit>

/** A rate limit of a route, defined by the module of the route. `per` says what is counted together. */
export type RouteLimit = RateLimit &
  (
    | { per: 'network' | 'network_and_tenant' | 'user' | 'token' | 'network_and_token' }
    | { per: 'path_parameter'; parameter: string }
  )
