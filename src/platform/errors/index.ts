import { type InputError, limitErrors, toFieldName } from './input-errors.ts'
import { listAlternatives } from './nearest-names.ts'

export { type ErrorCatalogue, type ErrorDescription, platformErrors } from './catalogue.ts'
export { type InputError, maxReportedErrors, shortenText, toFieldName } from './input-errors.ts'
export { listAlternatives, nearestNames, type Synonyms, suggestNames } from './nearest-names.ts'

type AppErrorOptions = { extra?: Record<string, unknown>; headers?: Record<string, string> }

export class AppError extends Error {
  readonly status: number
  readonly code: string
  readonly extra: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(status: number, code: string, message: string, { extra = {}, headers = {} }: AppErrorOptions = {}) {
    super(message)
    this.status = status
    this.code = code
    this.extra = extra
    this.headers = headers
  }
}

export const unauthenticated = (code = 'authentication_required', message = 'Sign in or send a valid API key.') =>
  new AppError(401, code, message, { headers: { 'www-authenticate': `Bearer error="${code}"` } })

export const forbidden = (code: string, message: string, extra?: Record<string, unknown>) =>
  new AppError(403, code, message, { extra })

export const scopeRequired = (scope: string) =>
  forbidden('scope_required', `The scope \`${scope}\` is required.`, { required_scope: scope })

export const roleRequired = (message: string) => forbidden('role_required', message)

/** Thrown for records of other tenants, so that ids cannot be probed. */
export const notFound = (thing: string) =>
  new AppError(404, 'not_found', `${thing[0]?.toUpperCase()}${thing.slice(1)} not found.`)

export const routeNotFound = ({ method, originalUrl }: { method: string; originalUrl: string }) =>
  new AppError(404, 'not_found', `No route matches ${method} ${originalUrl.split('?')[0]!.slice(0, 200)}.`)

export const methodNotAllowed = (method: string, allowed: readonly string[]) =>
  new AppError(405, 'method_not_allowed', `This path does not support ${method}. Use ${allowed.join(' or ')}.`, {
    headers: { allow: allowed.join(', ') },
  })

export const conflict = (code: string, message: string, extra?: Record<string, unknown>) =>
  new AppError(409, code, message, { extra })

type Transition = { from: string; to: string; allowed: readonly string[] }

/** Ends the message with the values that are possible instead. */
export function invalidTransition(message: string, { from, to, allowed }: Transition): AppError {
  const remedy = allowed.length ? `It can change to ${listAlternatives(allowed)}.` : 'No other change is possible now.'
  return conflict('invalid_transition', `${message} ${remedy}`, { from, to, allowed })
}

export const gone = (code: string, message: string, extra?: Record<string, unknown>) =>
  new AppError(410, code, message, { extra })

export const versionMismatch = () =>
  new AppError(
    412,
    'version_mismatch',
    'The record has changed since this version. Read it again, then repeat the change.',
  )

/** Compares a record with the version of If-Match, if the caller sent one. */
export function assertVersion({ version }: { version: number }, expectedVersion: number | undefined): void {
  if (expectedVersion !== undefined && expectedVersion !== version) throw versionMismatch()
}

export const invalidInput = (errors: InputError[]) =>
  new AppError(422, 'validation_failed', 'The request is invalid. See `errors` for the problems.', {
    extra: { errors: limitErrors(errors) },
  })

export const invalid = (where: InputError['in'], path: string, code: string, message: string) =>
  invalidInput([{ in: where, path, code, message }])

/** Prefixes the paths of validation errors thrown by `work`, which validates only a part of the body. */
export async function withErrorPathPrefix<T>(
  prefix: string | ((path: string) => string),
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || !Array.isArray(error.extra.errors)) throw error
    const errors = (error.extra.errors as InputError[]).map((problem) => ({
      ...problem,
      in: 'body' as const,
      path: typeof prefix === 'string' ? `${prefix}${problem.path}` : prefix(problem.path),
    }))
    const { status, code, message, headers } = error
    throw new AppError(status, code, message, { extra: { ...error.extra, errors }, headers })
  }
}

export function unknownReference(path: string, thing: string): AppError {
  const message = `\`${toFieldName(path)}\` must refer to an existing ${thing}.`
  return new AppError(422, 'unknown_reference', message, {
    extra: { errors: [{ in: 'body', path, code: 'unknown_reference', message }] },
  })
}

export function rateLimited(
  retryAfterSeconds: number,
  describe = (wait: string) => `Too many requests. Try again in ${wait}.`,
  headers: Record<string, string> = {},
): AppError {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds))
  return new AppError(429, 'rate_limited', describe(describeDuration(seconds)), {
    headers: { 'retry-after': String(seconds), ...headers },
  })
}

function describeDuration(seconds: number): string {
  const [count, unit] =
    seconds <= 90
      ? [seconds, 'second']
      : seconds <= 5_400
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3_600), 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

export class OverloadedError extends AppError {
  constructor() {
    super(503, 'dependency_unavailable', 'The service is overloaded. Try again in a moment.', {
      headers: { 'retry-after': '5' },
    })
  }
}

export const unavailable = (message = 'The service is temporarily unavailable. Try again soon.') =>
  new AppError(503, 'dependency_unavailable', message, { headers: { 'retry-after': '5' } })

export type Outcome<T> = { value: T } | { error: AppError }

export function attempt<T>(work: () => T): Outcome<T> {
  try {
    return { value: work() }
  } catch (error) {
    if (error instanceof AppError) return { error }
    throw error
  }
}

export function requireValue<T>(outcome: Outcome<T>): T {
  if ('error' in outcome) throw outcome.error
  return outcome.value
}
