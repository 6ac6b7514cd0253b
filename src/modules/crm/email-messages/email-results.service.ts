import { Type } from 'typebox'
import { listActiveAdminIds } from '#modules/identity'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { defineNotification, notify } from '#platform/notify'
import { type DomainEvent, emit } from '#platform/outbox'
import { strict } from '#platform/schema'
import { emailFailed, emailSent, emailSkipped, emailUncertain } from '../crm.events.ts'
import {
  type EmailRef,
  lockClaimedEmails,
  markExpiredClaims,
  type SendResult,
  updateClaimedEmails,
} from './email-messages.queries.ts'
import { claimSeconds } from './send-results.rules.ts'

const expiredPerRun = 500

const emailsUncertain = defineNotification('email.uncertain', {
  description: 'marketing emails may or may not have been delivered',
  payload: strict({ count: Type.Integer() }),
  text: ({ count }) => ({
    title: `${count} ${count === 1 ? 'email' : 'emails'} with an uncertain delivery`,
    body: 'A worker or a connection failed while marketing emails were sent. These messages may have arrived, so they are not sent again.',
  }),
  channels: { in_app: true, email: false },
  canBeDisabled: true,
})

export async function storeSendResults(tx: TenantTx, claimId: string, results: readonly SendResult[]): Promise<number> {
  const ids = results.map(({ id }) => id)
  const claimed = new Set(await lockClaimedEmails(tx, claimId, ids))
  const stored = await updateClaimedEmails(
    tx,
    results.filter(({ id }) => claimed.has(id)),
  )
  await emitEmailResults(tx, claimId, stored)
  return stored.length
}

/** Marks messages as uncertain whose worker ended before the result was stored. They are never sent again automatically. */
export async function expireClaims(tx: TenantTx, now: Date): Promise<number> {
  const expired = await markExpiredClaims(tx, secondsLater(now, -claimSeconds), expiredPerRun)
  if (expired.length) await emitEmailResults(tx, newId(), expired)
  return expired.length
}

const eventByState: Record<string, typeof emailSent> = {
  sent: emailSent,
  skipped: emailSkipped,
  failed: emailFailed,
  uncertain: emailUncertain,
}

export async function emitEmailResults(tx: TenantTx, batchId: string, emails: readonly EmailRef[]): Promise<void> {
  const uncertain = emails.filter(({ state }) => state === 'uncertain')
  for (const [state, event] of Object.entries(eventByState)) {
    const byKind = Map.groupBy(
      emails.filter((email) => email.state === state),
      ({ kind }) => kind,
    )
    for (const [kind, ofKind] of byKind) {
      const messages = ofKind.map(({ id, ref_id, reason }) => ({ id, ref_id, reason }))
      await emit(tx, event as DomainEvent<typeof emailSent.data>, { id: batchId }, { kind, messages })
    }
  }
  if (!uncertain.length) return
  for (const adminId of await listActiveAdminIds(tx))
    await notify(tx, adminId, emailsUncertain, { count: uncertain.length }, { dedupeKey: `${batchId}:${adminId}` })
}
