import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { hash, verify } from '@node-rs/argon2'
import { daysLater } from '#platform/clock'
import { newId } from '#platform/ids'
import { hashToken, newSecretToken } from '#platform/secrets'
import { password } from '#testing'
import { atOnce, type Race } from './race.ts'

/** Whoever signed in with the old password is out as soon as there is a new one, however late they came in. */
export const loginAgainstPasswordChange: Race = {
  name: 'sign-in against change of password',
  async openLane(world) {
    const acme = await world.tenant()
    return async () => {
      const person = await acme.person('member')
      const change = { current_password: password, new_password: 'entirely different words' }
      // From one address, whoever is too late a hundred times would be held up for it.
      const remoteAddress = [10, randomInt(256), randomInt(256), randomInt(256)].join('.')
      const visitor = acme.anonymous.with({ remoteAddress })

      const [entered, changed] = await atOnce(
        async () => {
          // A change hashes twice, so a sign-in that starts with it is always the quicker one.
          await sleep(Math.random() * 60)
          return await visitor.post('/api/auth/login', { email: person.email, password })
        },
        () => person.post('/api/auth/change-password', change),
      )

      if (changed.status !== 200) return { violated: `change ${changed.text}` }
      if (entered.status !== 200 && entered.status !== 401) return { violated: `sign-in ${entered.text}` }
      const live = await acme.sql('select id from identity.sessions where user_id = $1 and revoked_at is null', [
        person.userId,
      ])
      if (live.rowCount !== 1) return { violated: `${live.rowCount} sessions live` }
      const mine = await acme.bearer(`Bearer ${changed.body.access_token}`).get('/api/auth/me')
      if (mine.status !== 200) return { violated: `the pair of the change gets ${mine.text}` }
      if (entered.status === 401) return { ended: 'change first' }
      const late = await acme.bearer(`Bearer ${entered.body.access_token}`).get('/api/auth/me')
      return late.status === 401 ? { ended: 'sign-in first' } : { violated: 'the old password still opens' }
    }
  },
}

/** A link works once: one of two gets it, and the password is the one they chose. */
export const linkUsedTwice: Race = {
  name: 'one-time link used twice',
  async openLane(world) {
    const acme = await world.tenant()
    // Cheap to check, so that the time goes into the race.
    const former = await hash('not the password any more', { memoryCost: 8, timeCost: 1, parallelism: 1 })
    const hashOf = async (userId: string): Promise<string> =>
      (await acme.sql('select password_hash from identity.user_credentials where user_id = $1', [userId])).rows[0]
        .password_hash

    return async () => {
      const { userId } = await acme.person('viewer')
      await acme.sql('update identity.user_credentials set password_hash = $2 where user_id = $1', [userId, former])
      const token = newSecretToken()
      await acme.sql(
        `insert into identity.one_time_tokens (tenant_id, id, kind, user_id, token_hash, expires_at)
         values ($1, $2, 'password_reset', $3, $4, $5)`,
        [acme.id, newId(), userId, hashToken(token), daysLater(world.clock.now(), 1)],
      )
      const choices = ['the first of two passwords', 'the second of two passwords']
      const choose = (index: number) =>
        acme.anonymous.post('/api/auth/reset-password', { token, new_password: choices[index] })

      const answers = await atOnce(
        () => choose(0),
        () => choose(1),
      )

      const statuses = answers.map(({ status }) => status)
      if (statuses.toSorted().join() !== '200,410') return { violated: `answers ${statuses}` }
      const winner = statuses.indexOf(200)
      const isWinners = await verify(await hashOf(userId), choices[winner]!)
      if (!isWinners) return { violated: 'the password is not the one that was accepted' }
      return { ended: winner === 0 ? 'first one' : 'second one' }
    }
  },
}
