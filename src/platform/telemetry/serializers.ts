type RequestLike = { method?: string; routeOptions?: { url?: string } }
type ReplyLike = { statusCode?: number }

/** The route's template instead of the URL, which may hold tokens. */
export const describeRequest = (request: RequestLike) => ({
  method: request.method,
  route: request.routeOptions?.url ?? 'unmatched',
})

export const describeReply = (reply: ReplyLike) => ({ status: reply.statusCode })

const maxCauses = 5
/** Everything else an error carries may be a value somebody sent: rows, arguments, headers. */
const telling = ['code', 'status', 'schema', 'table', 'constraint'] as const

export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return describeOther(error)
  const told = telling.flatMap((name) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : []
  })
  const causes = error instanceof AggregateError ? error.errors : error.cause ? [error.cause] : []
  return {
    type: error.constructor.name,
    message: error.message,
    ...Object.fromEntries(told),
    stack: error.stack,
    ...(causes.length > 0 &&
      depth < maxCauses && { causes: causes.slice(0, maxCauses).map((cause) => describeError(cause, depth + 1)) }),
  }
}

/** Some libraries throw or report what only looks like an error. */
function describeOther(error: unknown): unknown {
  if (typeof error === 'string') return error
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown }
  return typeof message === 'string' ? { message, ...(typeof code === 'string' && { code }) } : typeof error
}
