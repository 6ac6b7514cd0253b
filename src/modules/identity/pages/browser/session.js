const key = 'tributary.session'

export const currentSession = () => JSON.parse(sessionStorage.getItem(key) ?? 'null')
export const keepSession = (tokens) => sessionStorage.setItem(key, JSON.stringify(tokens))
export const forgetSession = () => sessionStorage.removeItem(key)

export const get = (path) => send(path, {})

/** The answer as { ok, status, body }; of a refusal the body says what is wrong. An access token that ran out is renewed. */
export async function post(path, body = {}) {
  const sent = () => send(path, { method: 'POST', body: JSON.stringify(body) })
  const answer = await sent()
  return answer.body.code === 'token_expired' && (await renewed()) ? await sent() : answer
}

async function renewed() {
  const { refresh_token } = currentSession() ?? {}
  if (!refresh_token) return false
  const { ok, body } = await send('/api/auth/refresh', { method: 'POST', body: JSON.stringify({ refresh_token }) })
  if (ok) keepSession(body)
  else forgetSession()
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
      body: { detail: 'The server does not answer. Check your connection and try again.' },
    }
  }
}
