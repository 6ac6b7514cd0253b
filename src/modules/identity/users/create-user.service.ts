import type { SignedIn } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { unknownReference } from '#platform/errors'
import { joinTeams } from '../teams/team-members.service.ts'
import { assertMayManage } from './change-user.rules.ts'
import { inviteUser } from './invite-user.service.ts'
import type { TemporaryPassword } from './temporary-password.ts'
import { findUser, getUser, lockCurrency } from './users.queries.ts'
import { assertKnownPlace, quotaInMinor } from './users.rules.ts'
import type { NewUser } from './users.schemas.ts'
import { addUser } from './users.service.ts'

type Circumstances = {
  /** Given out instead of an invitation. */
  temporary: TemporaryPassword | null
  now: Date
}

export async function createUser(
  tx: TenantTx,
  actor: SignedIn,
  { team_ids = [], quarterly_quota, send_invite: _, role = 'member', ...fields }: NewUser,
  { temporary, now }: Circumstances,
) {
  assertMayManage(actor, role)
  assertKnownPlace(fields)
  await assertManagerExists(tx, fields.manager_id)
  const quota = quarterly_quota && quotaInMinor(quarterly_quota, await lockCurrency(tx))

  const user = await addUser(tx, {
    ...fields,
    role,
    source: 'admin',
    status: temporary ? 'active' : 'invited',
    quarterly_quota_minor: quota ?? null,
    must_change_password: temporary !== null,
    password: temporary
      ? { hash: temporary.hash, changed_at: now, temporary_expires_at: temporary.expires_at }
      : undefined,
  })
  await joinTeams(tx, actor, user.id, team_ids)
  const invite = temporary ? null : await inviteUser(tx, user, now)
  return { ...(await getUser(tx, actor, user.id)), temporary_password: temporary?.password ?? null, invite }
}

export async function assertManagerExists(tx: TenantTx, managerId: string | null | undefined): Promise<void> {
  if (!managerId) return
  const manager = await findUser(tx, managerId)
  if (!manager || manager.status === 'erased') throw unknownReference('/manager_id', 'user')
}
