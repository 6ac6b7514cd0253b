import { setTimeout as sleep } from 'node:timers/promises'
import { atOnce, type Race } from './race.ts'

/** While a key is rotated it works or it does not; once the answer is there the old one never does and the new one always. */
export const keyRotatedWhileUsed: Race = {
  name: 'key rotated while used',
  async openLane(world) {
    const acme = await world.tenant()
    const me = (key: string) => acme.bearer(`ApiKey ${key}`).get('/api/auth/me')
    const made = await acme.member.post('/api/api-keys', { name: 'In use', scopes: ['users.read'] })
    let current: { id: string; key: string } = made.body

    return async () => {
      const former = current
      // A use is quicker than a rotation, so it starts at any moment of it.
      const use = async () => {
        await sleep(Math.random() * 60)
        return await me(former.key)
      }
      const [first, rotated, second] = await atOnce(
        use,
        () => acme.member.post(`/api/api-keys/${former.id}/rotate`, { overlap_seconds: 0 }),
        use,
      )

      if (rotated.status !== 201) return { violated: `rotation ${rotated.text}` }
      current = rotated.body
      const [old, fresh] = await Promise.all([me(former.key), me(current.key)])
      const meanwhile = [first.status, second.status]
      if (meanwhile.some((status) => status !== 200 && status !== 401)) return { violated: `used: ${meanwhile}` }
      if (old.status !== 401) return { violated: `the old key gets ${old.text}` }
      if (fresh.status !== 200) return { violated: `the new key gets ${fresh.text}` }
      return { ended: `used ${meanwhile.filter((status) => status === 200).length} times meanwhile` }
    }
  },
}

/** A key has one successor, however often it is rotated at once. */
export const keyRotatedTwice: Race = {
  name: 'key rotated twice',
  async openLane(world) {
    const acme = await world.tenant()
    const made = await acme.member.post('/api/api-keys', { name: 'Rotated', scopes: ['users.read'] })
    let current: { id: string } = made.body

    return async () => {
      const rotate = () => acme.member.post(`/api/api-keys/${current.id}/rotate`, { overlap_seconds: 0 })
      const answers = await atOnce(rotate, rotate)

      const statuses = answers.map(({ status }) => status)
      if (statuses.toSorted().join() !== '201,409') return { violated: answers.map(({ text }) => text).join() }
      const live = await acme.sql('select id from identity.api_keys where created_by = $1 and revoked_at is null', [
        acme.member.userId,
      ])
      current = answers[statuses.indexOf(201)]!.body
      if (live.rowCount !== 1 || live.rows[0].id !== current.id) return { violated: `${live.rowCount} keys live` }
      return { ended: statuses[0] === 201 ? 'first one' : 'second one' }
    }
  },
}
