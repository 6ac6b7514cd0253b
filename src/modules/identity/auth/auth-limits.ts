import type { RateLimit, RouteLimit } from '#platform/limits'

const [minute, hour, day] = [60, 3_600, 86_400]

/** Shared by all routes that check a password or token. */
export const signInLimit: RouteLimit = { name: 'sign_in', limit: 60, windowSeconds: minute, per: 'network' }
export const signupLimit: RouteLimit = { name: 'signup', limit: 10, windowSeconds: hour, per: 'network' }
export const signupTenantLimit: RateLimit = { name: 'signup_tenant', limit: 200, windowSeconds: day }
export const forgotPasswordLimit: RouteLimit = { name: 'forgot', limit: 20, windowSeconds: hour, per: 'network' }
export const ssoLimit: RouteLimit = { name: 'sso', limit: 60, windowSeconds: minute, per: 'network' }
