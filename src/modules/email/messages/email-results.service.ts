import { listActiveAdminIds } from '#modules/identity'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { defineNotification, notify } from '#platform/notify'
import { emit, emitMany } from '#platform/outbox'
import { strict } from '#platform/schema'
import { emailBounced, emailFailed, emailSent, emailSkipped, emailUncertain } from '../email.events.ts'
import { recordReturnedEmails } from '../policies/delivery-problems.service.ts'
import {
  type EmailRef,
  lockClaimedEmails,
  markExpiredClaims,
  type SendResult,
  updateClaimedEmails,
} from './email-messages.queries.ts'
import { claimSeconds } from './send-results.rules.ts'

const expiredPerRun = 100

const emailsUncertain = defineNotification('email.uncertain', {
  description: 'marketing emails may or may not have been delivered',
  payload: strict({}),
  text: () => ({
    title: 'Marketing emails with an uncertain delivery',
    body: 'A worker or a connection failed while marketing emails were sent. These messages may have arrived, so they are not sent again.',
  }),
  channels: { in_app: true, email: false },
  canBeDisabled: true,
})

type Batch = { id: string; now: Date }

export async function storeSendResults(tx: TenantTx, batch: Batch, results: readonly SendResult[]): Promise<void> {
  const ids = results.map(({ id }) => id)
  const claimed = new Set(await lockClaimedEmails(tx, batch.id, ids))
  const stored = await updateClaimedEmails(
    tx,
    results.filter(({ id }) => claimed.has(id)),
  )
  await recordReturnedEmails(tx, batch.now, { bounced: stored.filter(({ state }) => state === 'bounced').length })
  await emitEmailResults(tx, batch, stored)
}

/** Marks messages as uncertain whose worker ended before the result was stored. They are never sent again automatically. */
export async function expireClaims(tx: TenantTx, now: Date): Promise<number> {
  const expired = await markExpiredClaims(tx, secondsLater(now, -claimSeconds), expiredPerRun)
  if (expired.length) await emitEmailResults(tx, { id: newId(), now }, expired)
  return expired.length
}

const eventByState: Record<string, typeof emailSent> = {
  sent: emailSent,
  skipped: emailSkipped,
  failed: emailFailed,
  uncertain: emailUncertain,
}

export async function emitEmailResults(
  tx: TenantTx,
  { id: batchId, now }: Batch,
  emails: readonly EmailRef[],
): Promise<void> {
  for (const [state, event] of Object.entries(eventByState)) {
    const byKind = Map.groupBy(
      emails.filter((email) => email.state === state),
      ({ kind }) => kind,
    )
    for (const [kind, ofKind] of byKind) {
      const messages = ofKind.map(({ id, ref_id, reason }) => ({ id, ref_id, reason }))
      await emit(tx, event, { id: batchId }, { kind, messages })
    }
  }
  const bounced = emails.filter(({ state }) => state === 'bounced')
  await emitMany(
    tx,
    emailBounced,
    bounced.map(({ id, kind, ref_id }) => ({ subject: { id }, data: { kind, ref_id, bounce_type: 'hard' } })),
  )
  if (emails.some(({ state }) => state === 'uncertain')) await notifyAdmins(tx, now)
}

/** Notifies the admins at most once an hour, because a broken connection may concern many messages. */
async function notifyAdmins(tx: TenantTx, now: Date): Promise<void> {
  const hour = now.toISOString().slice(0, 13)
  for (const adminId of await listActiveAdminIds(tx))
    await notify(tx, adminId, emailsUncertain, {}, { dedupeKey: `email.uncertain:${hour}:${adminId}` })
}
