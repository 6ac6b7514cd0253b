import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { hash, verify } from '@node-rs/argon2'
import { daysLater } from '#platform/clock'
import { newId } from '#platform/ids'
import { generateSecretToken, hashToken } from '#platform/secrets'
import { password } from '#testing'
import { type Race, runConcurrently } from './race.ts'

/** Sessions created with the old password must be revoked by the password change, even concurrent ones. */
export const loginAgainstPasswordChange: Race = {
  name: 'sign-in against password change',
  async prepare(app) {
    const acme = await app.tenant()
    return async () => {
      const user = await acme.person('member')
      const change = { current_password: password, new_password: 'entirely different words' }
      // A random IP address, because repeated failed sign-ins from one would be throttled.
      const remoteAddress = [10, randomInt(256), randomInt(256), randomInt(256)].join('.')
      const client = acme.anonymous.with({ remoteAddress })

      const [signedIn, changed] = await runConcurrently(
        async () => {
          // A password change hashes twice, so a sign-in that starts at the same time would always be faster.
          await sleep(Math.random() * 60)
          return await client.post('/api/auth/login', { email: user.email, password })
        },
        () => user.post('/api/auth/change-password', change),
      )

      if (changed.status !== 200) return { violation: `change ${changed.text}` }
      if (signedIn.status !== 200 && signedIn.status !== 401) return { violation: `sign-in ${signedIn.text}` }
      const active = await acme.sql('select id from identity.sessions where user_id = $1 and revoked_at is null', [
        user.userId,
      ])
      if (active.rowCount !== 1) return { violation: `${active.rowCount} active sessions` }
      const current = await acme.bearer(`Bearer ${changed.body.access_token}`).get('/api/auth/me')
      if (current.status !== 200) return { violation: `the tokens of the change get ${current.text}` }
      if (signedIn.status === 401) return { outcome: 'change first' }
      const old = await acme.bearer(`Bearer ${signedIn.body.access_token}`).get('/api/auth/me')
      return old.status === 401
        ? { outcome: 'sign-in first' }
        : { violation: 'the session of the old password is still valid' }
    }
  },
}

/** A one-time link must work once, and the password must be that of the successful request. */
export const linkUsedTwice: Race = {
  name: 'one-time link used twice',
  async prepare(app) {
    const acme = await app.tenant()
    // Cheap to verify, so that hashing does not dominate the run.
    const oldHash = await hash('not the password any more', { memoryCost: 8, timeCost: 1, parallelism: 1 })
    const readHash = async (userId: string): Promise<string> =>
      (await acme.sql('select password_hash from identity.user_credentials where user_id = $1', [userId])).rows[0]
        .password_hash

    return async () => {
      const { userId } = await acme.person('viewer')
      await acme.sql('update identity.user_credentials set password_hash = $2 where user_id = $1', [userId, oldHash])
      const token = generateSecretToken()
      await acme.sql(
        `insert into identity.one_time_tokens (tenant_id, id, kind, user_id, token_hash, expires_at)
         values ($1, $2, 'password_reset', $3, $4, $5)`,
        [acme.id, newId(), userId, hashToken(token), daysLater(app.clock.now(), 1)],
      )
      const passwords = ['the first of two passwords', 'the second of two passwords']
      const reset = (index: number) =>
        acme.anonymous.post('/api/auth/reset-password', { token, new_password: passwords[index] })

      const responses = await runConcurrently(
        () => reset(0),
        () => reset(1),
      )

      const statuses = responses.map(({ status }) => status)
      if (statuses.toSorted().join() !== '200,410') return { violation: `statuses ${statuses}` }
      const winner = statuses.indexOf(200)
      const isAccepted = await verify(await readHash(userId), passwords[winner]!)
      if (!isAccepted) return { violation: 'the stored password is not the accepted one' }
      return { outcome: winner === 0 ? 'first request' : 'second request' }
    }
  },
}
