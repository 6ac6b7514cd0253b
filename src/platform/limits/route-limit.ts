import type { RateLimit } from './buckets.ts'

/** A rate limit of a route, defined by the module of the route. `per` says what is counted together. */
export type RouteLimit = RateLimit &
  (
    | { per: 'network' | 'network_and_tenant' | 'user' | 'token' | 'network_and_token' }
    | { per: 'path_parameter'; parameter: string }
  )
