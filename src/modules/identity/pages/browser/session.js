const key = 'tributary.session'

export const currentSession = () => JSON.parse(sessionStorage.getItem(key) ?? 'null')
export const storeSession = (tokens) => sessionStorage.setItem(key, JSON.stringify(tokens))
export const clearSession = () => sessionStorage.removeItem(key)

export const get = (path) => request(path, {})
export const post = (path, body = {}) => request(path, { method: 'POST', body: JSON.stringify(body) })

/** Returns { ok, status, body }; on failure the body is a problem document. Refreshes an expired access token. */
async function request(path, options) {
  const response = await send(path, options)
  return response.body.code === 'token_expired' && (await refreshSession()) ? await send(path, options) : response
}

async function refreshSession() {
  const { refresh_token } = currentSession() ?? {}
  if (!refresh_token) return false
  const { ok, body } = await send('/api/auth/refresh', { method: 'POST', body: JSON.stringify({ refresh_token }) })
  if (ok) storeSession(body)
  else clearSession()
  return ok
}

async function send(path, request) {
  const session = currentSession()
  const headers = {
    ...(request.body && { 'content-type': 'application/json' }),
    ...(session && { authorization: `Bearer ${session.access_token}` }),
  }
  try {
    const response = await fetch(path, { ...request, headers, cache: 'no-store' })
    return { ok: response.ok, status: response.status, body: await response.json() }
  } catch {
    return {
      ok: false,
      status: 0,
      body: { code: 'unreachable' },
    }
  }
}
