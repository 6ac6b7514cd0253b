type RequestLike = { method?: string; routeOptions?: { url?: string } }
type ResponseLike = { statusCode?: number }

/** Logs the route template, because the URL may contain tokens. */
export const serializeRequest = (request: RequestLike) => ({
  method: request.method,
  route: request.routeOptions?.url ?? 'unmatched',
})

export const serializeResponse = (response: ResponseLike) => ({ status: response.statusCode })

const maxCauses = 5
/** Other properties of an error may contain user data: rows, arguments, headers. */
const loggedProperties = ['code', 'status', 'schema', 'table', 'constraint'] as const

export function serializeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return serializeNonError(error)
  const properties = loggedProperties.flatMap((name) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : []
  })
  const causes = error instanceof AggregateError ? error.errors : error.cause ? [error.cause] : []
  return {
    type: error.constructor.name,
    message: error.message,
    ...Object.fromEntries(properties),
    stack: error.stack,
    ...(causes.length > 0 &&
      depth < maxCauses && { causes: causes.slice(0, maxCauses).map((cause) => serializeError(cause, depth + 1)) }),
  }
}

function serializeNonError(error: unknown): unknown {
  if (typeof error === 'string') return error
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown }
  return typeof message === 'string' ? { message, ...(typeof code === 'string' && { code }) } : typeof error
}
