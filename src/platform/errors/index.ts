export { catalogue } from './catalogue.ts'

/** One thing that is wrong with a request, and where. */
export type InputError = { in: 'body' | 'query' | 'path' | 'header'; path: string; code: string; message: string }

/** What may stand beside the message: further members of the answer (`extra`) and headers such as Retry-After. */
type Details = { extra?: Record<string, unknown>; headers?: Record<string, string> }

/** An expected refusal. `code` is part of the API contract; `message` is for the person reading it. */
export class AppError extends Error {
  readonly status: number
  readonly code: string
  readonly extra: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(status: number, code: string, message: string, { extra = {}, headers = {} }: Details = {}) {
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
  forbidden('scope_required', `This needs the scope ${scope}.`, { required_scope: scope })

export const roleRequired = (message: string) => forbidden('role_required', message)

/** Another tenant's record gets the same answer, so ids cannot be probed. */
export const notFound = (thing: string) => new AppError(404, 'not_found', `There is no such ${thing}.`)

export const nothingHere = () => new AppError(404, 'not_found', 'There is nothing at this address.')

export const conflict = (code: string, message: string, extra?: Record<string, unknown>) =>
  new AppError(409, code, message, { extra })

export const gone = (code: string, message: string) => new AppError(410, code, message)

export const versionMismatch = () =>
  new AppError(
    412,
    'version_mismatch',
    'Someone changed this record in the meantime. Read it again, then repeat the change.',
  )

export const invalidInput = (errors: InputError[]) =>
  new AppError(422, 'validation_failed', 'The request is not valid. See errors for each problem.', {
    extra: { errors },
  })

export const invalid = (where: InputError['in'], path: string, code: string, message: string) =>
  invalidInput([{ in: where, path, code, message }])

/** What is wrong with a part of the body is pointed at from the whole of it. */
export async function pointingInto<T>(part: string | ((path: string) => string), work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || !Array.isArray(error.extra.errors)) throw error
    const errors = (error.extra.errors as InputError[]).map((problem) => ({
      ...problem,
      in: 'body' as const,
      path: typeof part === 'string' ? `${part}${problem.path}` : part(problem.path),
    }))
    const { status, code, message, headers } = error
    throw new AppError(status, code, message, { extra: { ...error.extra, errors }, headers })
  }
}

/** A body names a record that is not in this tenant. */
export const unknownReference = (path: string, thing: string) =>
  new AppError(422, 'unknown_reference', `The request names a ${thing} that does not exist.`, {
    extra: { errors: [{ in: 'body', path, code: 'unknown_reference', message: `There is no such ${thing}.` }] },
  })

export const rateLimited = (retryAfterSeconds: number, message = 'Too many requests. Wait a moment, then try again.') =>
  new AppError(429, 'rate_limited', message, { headers: { 'retry-after': String(Math.ceil(retryAfterSeconds)) } })

export const unavailable = (message = 'The service is not available at the moment. Try again soon.') =>
  new AppError(503, 'dependency_unavailable', message, { headers: { 'retry-after': '5' } })
