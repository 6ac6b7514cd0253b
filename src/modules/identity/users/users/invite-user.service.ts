import type { Role, UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { emit } from '#platform/outbox'
import { sendInviteLater } from '../../credentials/emails/emails.jobs.ts'
import { countInvitation } from '../../credentials/throttles/throttles.service.ts'
import { userInvited } from '../../identity.events.ts'
import { lockUser, type UserRow } from '../../workspace/user-records/users.queries.ts'
import { inviteExpiresAt } from '../../workspace/user-records/users.rules.ts'
import { assertCanManageUser } from './manage-user.rules.ts'

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
