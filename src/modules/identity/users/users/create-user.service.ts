import type { Role, UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, unknownReference } from '#platform/errors'
import { emit } from '#platform/outbox'
import { sendInviteLater } from '../../credentials/emails/emails.jobs.ts'
import { countInvitation } from '../../credentials/throttles/throttles.service.ts'
import { userInvited } from '../../identity.events.ts'
import { addUserToTeams } from '../../workspace/teams/team-members.service.ts'
import {
  findUser,
  getUser,
  lockBaseCurrency,
  lockUser,
  type UserRow,
} from '../../workspace/user-records/users.queries.ts'
import {
  assertValidTimezoneAndLocale,
  inviteExpiresAt,
  toQuotaMinor,
} from '../../workspace/user-records/users.rules.ts'
import type { NewUser } from '../../workspace/user-records/users.schemas.ts'
import { createUserRecord } from './create-user-row.service.ts'
import { assertCanManageUser, creationActionOf } from './manage-user.rules.ts'
import type { TemporaryPassword } from './temporary-password.ts'

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

export type SentInvitation = { sent_to: string; expires_at: Date }

/** The job creates the link, so that the token is stored nowhere else. */
export async function inviteUser(tx: TenantTx, user: UserRow, now: Date): Promise<SentInvitation> {
  await countInvitation(tx, now)
  await sendInviteLater(tx, user.id)
  await recordAudit(tx, 'user.invited', { id: user.id, label: user.name })
  await emit(tx, userInvited, user, { email: user.email })
  return { sent_to: user.email, expires_at: inviteExpiresAt(now) }
}

export async function resendInvite(tx: TenantTx, actor: UserActor, userId: string, now: Date): Promise<SentInvitation> {
  const user = await lockUser(tx, userId)
  assertCanManageUser(actor, 'update_details', user.role as Role, now)
  if (user.status !== 'invited') throw conflict('conflict', 'This user has already accepted the invitation.')

  return await inviteUser(tx, user, now)
}
