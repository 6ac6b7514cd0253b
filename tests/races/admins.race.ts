import type { Answer } from '#testing'
import { atOnce, type Race } from './race.ts'

/** A workspace never loses its last admin, whatever two of them do to each other. */
const amongTwoAdmins = (name: string, change: Record<string, string>): Race => ({
  name,
  async openLane(world) {
    const acme = await world.tenant()
    const [one, other] = [acme.admin, await acme.person('admin')]
    const both = [one.userId, other.userId]
    return async () => {
      await acme.sql(`update identity.users set role = 'admin', status = 'active' where id = any($1)`, [both])
      const [first, second] = [await acme.signIn(one.userId), await acme.signIn(other.userId)]

      const answers = await atOnce(
        () => first.patch(`/api/users/${other.userId}`, change),
        () => second.patch(`/api/users/${one.userId}`, change),
      )

      const admins = await acme.sql(
        `select id from identity.users where tenant_id = $1 and role = 'admin' and status = 'active'`,
        [acme.id],
      )
      const unforeseen = answers.filter((answer) => !isForeseen(answer))
      if (unforeseen.length) return { violated: unforeseen.map(({ text }) => text).join() }
      if (admins.rowCount !== 1) return { violated: `${admins.rowCount} admins left` }
      return { ended: admins.rows[0].id === one.userId ? 'first one stays' : 'second one stays' }
    }
  },
})

/** Whoever was slower is no admin any more, or signed out, or would have been the last one. */
const isForeseen = ({ status, body }: Answer): boolean =>
  status === 200 ||
  ['last_admin', 'scope_required', 'role_required', 'token_revoked', 'account_disabled'].includes(body.code)

export const demotingEachOther = amongTwoAdmins('two admins demoting each other', { role: 'member' })
export const deactivatingEachOther = amongTwoAdmins('two admins deactivating each other', { status: 'deactivated' })
