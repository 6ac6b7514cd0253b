type Values = Readonly<Record<string, unknown>>
export type CallOptions = {
  params?: { path?: Values; query?: Values }
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

export const keyHeader = 'idempotency-key'

export function buildRequest(
  origin: string,
  method: string,
  path: string,
  { params, body, headers, ...init }: CallOptions,
): Request {
  const url = new URL(
    path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.path?.[name]))),
    origin,
  )
  for (const [name, value] of Object.entries(params?.query ?? {})) {
    const text = String(value ?? '')
    if (text) url.searchParams.set(name, text)
  }
  const request = new Request(url, {
    ...init,
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  if (body !== undefined) request.headers.set('content-type', 'application/json')
  // A request that is sent again after a sign-in has the same key, so that its effect happens once.
  if (method === 'POST' && !request.headers.has(keyHeader)) request.headers.set(keyHeader, crypto.randomUUID())
  return request
}
