import { atOnce, type Race } from './race.ts'

/** However often a refresh token is sent at once, it has one successor, and whoever sent it holds that one. */
export const parallelRefresh: Race = {
  name: 'parallel refresh of one token',
  async openLane(world) {
    const acme = await world.tenant()
    return async () => {
      const { sessionId, refreshToken } = await acme.signIn(acme.member.userId)
      const refresh = (token = refreshToken) => acme.anonymous.post('/api/auth/refresh', { refresh_token: token })

      const answers = await atOnce(
        () => refresh(),
        () => refresh(),
        () => refresh(),
      )

      const statuses = answers.map(({ status }) => status)
      if (statuses.some((status) => status !== 200)) return { violated: `answers ${statuses}` }
      const successors = new Set(answers.map(({ body }) => body.refresh_token))
      if (successors.size !== 1) return { violated: `${successors.size} successors` }
      const kept = await acme.sql('select seq from identity.refresh_tokens where session_id = $1', [sessionId])
      if (kept.rowCount !== 2) return { violated: `${kept.rowCount} tokens in the database` }
      const next = await refresh([...successors][0])
      if (next.status !== 200) return { violated: `the successor gets ${next.text}` }
      await acme.sql('update identity.sessions set revoked_at = now() where id = $1', [sessionId])
      return { ended: 'one successor' }
    }
  },
}

/** After a sign-out nothing that came of the session works, also not a pair it got at the last moment. */
export const refreshAgainstLogout: Race = {
  name: 'refresh against sign-out',
  async openLane(world) {
    const acme = await world.tenant()
    return async () => {
      const session = await acme.signIn(acme.member.userId)
      const refresh = (token: string) => acme.anonymous.post('/api/auth/refresh', { refresh_token: token })

      const [refreshed, left] = await atOnce(
        () => refresh(session.refreshToken),
        () => session.post('/api/auth/logout'),
      )

      if (left.status !== 200) return { violated: `sign-out ${left.text}` }
      if (refreshed.body.code === 'token_revoked') return { ended: 'sign-out first' }
      if (refreshed.status !== 200) return { violated: refreshed.text }
      const late = await acme.bearer(`Bearer ${refreshed.body.access_token}`).get('/api/auth/me')
      const again = await refresh(refreshed.body.refresh_token)
      if (late.status === 401 && again.status === 401) return { ended: 'refresh first' }
      return { violated: `alive: ${late.status}, ${again.status}` }
    }
  },
}
