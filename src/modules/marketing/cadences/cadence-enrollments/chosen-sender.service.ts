import { filterActiveUserIds, isLeadOf } from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { type AppError, forbidden } from '#platform/errors'
import { listSenderSettings } from '../cadence-records/senders.queries.ts'

/** Without a chosen sender the owner of the record or of the cadence sends, which needs no consent. */
export async function assertMayChooseSender(
  tx: TenantTx,
  actor: UserActor,
  senderId: string | undefined,
): Promise<void> {
  if (senderId === undefined || (await managesSender(tx, actor, senderId))) return
  const [settings] = await listSenderSettings(tx, [senderId])
  if (!settings?.others_may_enroll)
    throw senderNotAllowed(
      'The sender must set `others_may_enroll` in the sender settings, unless a manager, an admin or a lead of a team of the sender enrolls ' +
        'the persons. Ask the sender or a manager, or enroll the persons without a sender.',
    )
}

export async function assertMayTakeOver(tx: TenantTx, actor: UserActor, senderId: string | null): Promise<void> {
  if (senderId === null || (await managesSender(tx, actor, senderId))) return
  if ((await filterActiveUserIds(tx, [senderId])).has(senderId))
    throw senderNotAllowed(
      'Only managers, admins, leads of a team of the sender and the sender can give the enrollments of an active sender to another one. ' +
        'Ask the sender or a manager.',
    )
}

const managesSender = async (tx: TenantTx, { role, userId }: UserActor, senderId: string): Promise<boolean> =>
  senderId === userId || isManagerOrAdmin(role) || (await isLeadOf(tx, userId, senderId))

const senderNotAllowed = (message: string): AppError => forbidden('sender_not_allowed', message)
