import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { emit } from '#platform/outbox'
import { sendInviteLater } from '../auth/auth.jobs.ts'
import { userInvited } from '../identity.events.ts'
import { assertMayManage } from './change-user.rules.ts'
import { lockUser, type UserRow } from './users.queries.ts'
import { inviteEnds } from './users.rules.ts'

export type Invitation = { sent_to: string; expires_at: Date }

/** The link is made when the mail is, so that it is written down nowhere else. */
export async function inviteUser(tx: TenantTx, user: UserRow, now: Date): Promise<Invitation> {
  await sendInviteLater(tx, user.id)
  await record(tx, 'user.invited', { id: user.id, label: user.name })
  await emit(tx, userInvited, user, { email: user.email })
  return { sent_to: user.email, expires_at: inviteEnds(now) }
}

export async function resendInvite(tx: TenantTx, actor: SignedIn, userId: string, now: Date): Promise<Invitation> {
  const user = await lockUser(tx, userId)
  assertMayManage(actor, user.role)
  if (user.status !== 'invited')
    throw conflict('conflict', 'Only somebody who has not accepted an invitation yet can be invited again.')

  return await inviteUser(tx, user, now)
}
