import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { unknownReference } from '#platform/errors'
import { addUserToTeams } from '../../workspace/teams/team-members.service.ts'
import { findUser, getUser, lockBaseCurrency } from '../../workspace/user-records/users.queries.ts'
import { assertValidTimezoneAndLocale, toQuotaMinor } from '../../workspace/user-records/users.rules.ts'
import type { NewUser } from '../../workspace/user-records/users.schemas.ts'
import { inviteUser } from './invite-user.service.ts'
import { assertCanManageUser, creationActionOf } from './manage-user.rules.ts'
import type { TemporaryPassword } from './temporary-password.ts'
import { createUserRecord } from './user-record.service.ts'

type CreateUserContext = {
  temporary: TemporaryPassword | null
  now: Date
}

export async function createUser(
  tx: TenantTx,
  actor: UserActor,
  { team_ids = [], quarterly_quota, send_invite: _, role = 'member', ...fields }: NewUser,
  { temporary, now }: CreateUserContext,
) {
  assertCanManageUser(actor, creationActionOf(role, temporary !== null), role, now)
  assertValidTimezoneAndLocale(fields)
  await assertManagerExists(tx, fields.manager_id)
  const quota = quarterly_quota && toQuotaMinor(quarterly_quota, await lockBaseCurrency(tx))

  const user = await createUserRecord(tx, {
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
  await addUserToTeams(tx, actor, user.id, team_ids)
  const invite = temporary ? null : await inviteUser(tx, user, now)
  return { ...(await getUser(tx, actor, user.id)), temporary_password: temporary?.password ?? null, invite }
}

export async function assertManagerExists(tx: TenantTx, managerId: string | null | undefined): Promise<void> {
  if (!managerId) return
  const manager = await findUser(tx, managerId)
  if (!manager || manager.status === 'erased') throw unknownReference('/manager_id', 'user')
}
