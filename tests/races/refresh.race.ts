import { type Race, runConcurrently } from './race.ts'

/** Concurrent uses of a refresh token must all return the same successor. */
export const parallelRefresh: Race = {
  name: 'concurrent refreshes of one token',
  async prepare(app) {
    const acme = await app.tenant()
    return async () => {
      const { sessionId, refreshToken } = await acme.signIn(acme.member.userId)
      const refresh = (token = refreshToken) => acme.anonymous.post('/api/auth/refresh', { refresh_token: token })

      const responses = await runConcurrently(
        () => refresh(),
        () => refresh(),
        () => refresh(),
      )

      const statuses = responses.map(({ status }) => status)
      if (statuses.some((status) => status !== 200)) return { violation: `statuses ${statuses}` }
      const successors = new Set(responses.map(({ body }) => body.refresh_token))
      if (successors.size !== 1) return { violation: `${successors.size} successors` }
      const stored = await acme.sql('select seq from identity.refresh_tokens where session_id = $1', [sessionId])
      if (stored.rowCount !== 2) return { violation: `${stored.rowCount} tokens in the database` }
      const next = await refresh([...successors][0])
      if (next.status !== 200) return { violation: `the successor gets ${next.text}` }
      await acme.sql('update identity.sessions set revoked_at = now() where id = $1', [sessionId])
      return { outcome: 'one successor' }
    }
  },
}

/** After a sign-out no token of the session may work, including tokens issued by a concurrent refresh. */
export const refreshAgainstLogout: Race = {
  name: 'refresh against sign-out',
  async prepare(app) {
    const acme = await app.tenant()
    return async () => {
      const session = await acme.signIn(acme.member.userId)
      const refresh = (token: string) => acme.anonymous.post('/api/auth/refresh', { refresh_token: token })

      const [refreshed, signedOut] = await runConcurrently(
        () => refresh(session.refreshToken),
        () => session.post('/api/auth/logout'),
      )

      if (signedOut.status !== 200) return { violation: `sign-out ${signedOut.text}` }
      if (refreshed.body.code === 'token_revoked') return { outcome: 'sign-out first' }
      if (refreshed.status !== 200) return { violation: refreshed.text }
      const access = await acme.bearer(`Bearer ${refreshed.body.access_token}`).get('/api/auth/me')
      const refreshedAgain = await refresh(refreshed.body.refresh_token)
      if (access.status === 401 && refreshedAgain.status === 401) return { outcome: 'refresh first' }
      return { violation: `tokens still valid: ${access.status}, ${refreshedAgain.status}` }
    }
  },
}
