import type { RateLimit, RouteLimit } from '#platform/limits'

const [minute, hour, day] = [60, 3_600, 86_400]

/** Shared by all routes that check a password or token. */
export const signInLimit: RouteLimit = { name: 'sign_in', limit: 60, windowSeconds: minute, per: 'network' }
/** Many people of a company share a network, and each browser refreshes its session after every reload. */
export const refreshNetworkLimit: RateLimit = { name: 'refresh_network', limit: 1_200, windowSeconds: minute }
export const refreshSessionLimit: RateLimit = { name: 'refresh', limit: 30, windowSeconds: minute }
export const signupLimit: RouteLimit = { name: 'signup', limit: 10, windowSeconds: hour, per: 'network' }
export const signupTenantLimit: RateLimit = { name: 'signup_tenant', limit: 200, windowSeconds: day }
export const forgotPasswordLimit: RouteLimit = { name: 'forgot', limit: 20, windowSeconds: hour, per: 'network' }
export const ssoLimit: RouteLimit = { name: 'sso', limit: 60, windowSeconds: minute, per: 'network' }
