import type { TestResponse } from '#testing'
import { type Race, runConcurrently } from './race.ts'

/** A workspace must never lose its last admin. */
const twoAdminsRace = (name: string, change: Record<string, string>): Race => ({
  name,
  async prepare(app) {
    const acme = await app.tenant()
    const [firstAdmin, secondAdmin] = [acme.admin, await acme.person('admin')]
    const adminIds = [firstAdmin.userId, secondAdmin.userId]
    return async () => {
      await acme.sql(`update identity.users set role = 'admin', status = 'active' where id = any($1)`, [adminIds])
      const [first, second] = [await acme.signIn(firstAdmin.userId), await acme.signIn(secondAdmin.userId)]

      const responses = await runConcurrently(
        () => first.patch(`/api/users/${secondAdmin.userId}`, change),
        () => second.patch(`/api/users/${firstAdmin.userId}`, change),
      )

      const admins = await acme.sql(
        `select id from identity.users where tenant_id = $1 and role = 'admin' and status = 'active'`,
        [acme.id],
      )
      const unexpected = responses.filter((response) => !isExpected(response))
      if (unexpected.length) return { violation: unexpected.map(({ text }) => text).join() }
      if (admins.rowCount !== 1) return { violation: `${admins.rowCount} admins left` }
      return { outcome: admins.rows[0].id === firstAdmin.userId ? 'first admin stays' : 'second admin stays' }
    }
  },
})

/** The slower admin has lost the role or the session, or would have been the last admin. */
const isExpected = ({ status, body }: TestResponse): boolean =>
  status === 200 ||
  ['last_admin', 'scope_required', 'role_required', 'token_revoked', 'account_disabled'].includes(body.code)

export const mutualDemotion = twoAdminsRace('two admins demoting each other', { role: 'member' })
export const mutualDeactivation = twoAdminsRace('two admins deactivating each other', { status: 'deactivated' })
