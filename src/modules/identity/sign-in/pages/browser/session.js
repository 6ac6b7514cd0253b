let accessToken

/** Keeps the access token for this page only. The refresh token is in a cookie that scripts cannot read. */
export const storeSession = ({ access_token }) => (accessToken = access_token)
export const clearSession = () => (accessToken = undefined)

/** Continues the session of this browser; false if it has none. */
export const resumeSession = () => navigator.locks.request('refresh', refreshSession)

export const get = (path) => request(path, {})
export const post = (path, body = {}) => request(path, { method: 'POST', body: JSON.stringify(body) })

/** Signs in or changes the password, after which this browser has a new session. */
export const postForSession = (path, body) => post(path, { ...body, refresh_token_delivery: 'cookie' })

/** Returns { ok, status, body }; on failure the body is a problem document. Refreshes an expired access token. */
async function request(path, options) {
  const response = await send(path, options)
  return response.body.code === 'token_expired' && (await resumeSession()) ? await send(path, options) : response
}

// The request outlives the page, because a lost response would make the next refresh look like a stolen token.
async function refreshSession() {
  clearSession()
  const { ok, body } = await send('/api/auth/refresh', { method: 'POST', body: '{}', keepalive: true })
  if (ok) storeSession(body)
  return ok
}

async function send(path, request) {
  const headers = {
    ...(request.body && { 'content-type': 'application/json' }),
    ...(accessToken && { authorization: `Bearer ${accessToken}` }),
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
