import { setTimeout as sleep } from 'node:timers/promises'
import { type Race, runConcurrently } from './race.ts'

/** After the rotation response the old key must be rejected and the new one accepted. */
export const keyRotatedWhileUsed: Race = {
  name: 'key rotated while used',
  async prepare(app) {
    const acme = await app.tenant()
    const me = (key: string) => acme.bearer(`ApiKey ${key}`).get('/api/auth/me')
    const response = await acme.member.post('/api/api-keys', { name: 'In use', scopes: ['users.read'] })
    let current: { id: string; key: string } = response.body

    return async () => {
      const previous = current
      // A request is faster than a rotation, so it starts at a random moment of it.
      const use = async () => {
        await sleep(Math.random() * 60)
        return await me(previous.key)
      }
      const [first, rotated, second] = await runConcurrently(
        use,
        () => acme.member.post(`/api/api-keys/${previous.id}/rotate`, { overlap_seconds: 0 }),
        use,
      )

      if (rotated.status !== 201) return { violation: `rotation ${rotated.text}` }
      current = rotated.body
      const [oldKey, newKey] = await Promise.all([me(previous.key), me(current.key)])
      const statuses = [first.status, second.status]
      if (statuses.some((status) => status !== 200 && status !== 401))
        return { violation: `responses during rotation: ${statuses}` }
      if (oldKey.status !== 401) return { violation: `the old key gets ${oldKey.text}` }
      if (newKey.status !== 200) return { violation: `the new key gets ${newKey.text}` }
      return { outcome: `${statuses.filter((status) => status === 200).length} requests accepted` }
    }
  },
}

/** Concurrent rotations of a key must create one successor. */
export const keyRotatedTwice: Race = {
  name: 'key rotated twice',
  async prepare(app) {
    const acme = await app.tenant()
    const response = await acme.member.post('/api/api-keys', { name: 'Rotated', scopes: ['users.read'] })
    let current: { id: string } = response.body

    return async () => {
      const rotate = () => acme.member.post(`/api/api-keys/${current.id}/rotate`, { overlap_seconds: 0 })
      const responses = await runConcurrently(rotate, rotate)

      const statuses = responses.map(({ status }) => status)
      if (statuses.toSorted().join() !== '201,409') return { violation: responses.map(({ text }) => text).join() }
      const active = await acme.sql('select id from identity.api_keys where created_by = $1 and revoked_at is null', [
        acme.member.userId,
      ])
      current = responses[statuses.indexOf(201)]!.body
      if (active.rowCount !== 1 || active.rows[0].id !== current.id)
        return { violation: `${active.rowCount} active keys` }
      return { outcome: statuses[0] === 201 ? 'first request' : 'second request' }
    }
  },
}
