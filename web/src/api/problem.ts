export type InputError = { in: string; path: string; code: string; message: string }

/** An error response of the API, or the lack of a response. The application chooses its texts by `code`. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  readonly errors: readonly InputError[]
  readonly retryAfterSeconds: number | null
  readonly extra: Readonly<Record<string, unknown>>

  constructor(status: number, body: Readonly<Record<string, unknown>>, retryAfterSeconds: number | null = null) {
    super(typeof body.detail === 'string' ? body.detail : 'The server could not be reached.')
    this.status = status
    this.code = typeof body.code === 'string' ? body.code : 'unreachable'
    this.requestId = typeof body.request_id === 'string' ? body.request_id : null
    this.errors = Array.isArray(body.errors) ? body.errors : []
    this.retryAfterSeconds = retryAfterSeconds
    this.extra = body
  }
}

export const isProblem = (error: unknown, code?: string): error is ApiProblem =>
  error instanceof ApiProblem && (code === undefined || error.code === code)

/** Whether the same request may succeed later. */
export const isTemporary = (error: unknown): boolean =>
  isProblem(error) && (error.status === 0 || error.status === 429 || error.status >= 500)

export async function toProblem(response: Response, body?: unknown): Promise<ApiProblem> {
  const fields = body ?? (await response.json().catch(() => ({})))
  const retryAfter = response.headers.get('retry-after')
  return new ApiProblem(response.status, isObject(fields) ? fields : {}, retryAfter ? Number(retryAfter) : null)
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
