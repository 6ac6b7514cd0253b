import { logActivity, recordOptOut } from '#modules/crm'
import type { Actor } from '#platform/access'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { emailBounced, emailComplained, emailReplied } from '../email.events.ts'
import { recordReturnedEmails } from '../policies/delivery-problems.service.ts'
import { assertComplete, isAutomatic, isUnsubscribeRequest, messageIdsOf } from './email-events.rules.ts'
import type { NewEmailEvent } from './email-events.schemas.ts'
import { emailKindsOf } from './email-kind.ts'
import { findMessageIdOfEvent, insertEmailEvent } from './email-lookup.queries.ts'
import { findNewestEmailTo, listEmailsByMessageIds, type SentEmail, updateEmailRow } from './email-messages.queries.ts'

const matchedDays = 30

export async function recordEmailEvent(tx: TenantTx, actor: Actor, services: Services, event: NewEmailEvent) {
  assertComplete(event)
  const email = await findEmail(tx, services, event)
  const { kind, external_id, bounce_type = null } = event
  const id = newId()
  const isNew = await insertEmailEvent(tx, {
    id,
    external_id,
    kind,
    bounce_type,
    received_at: new Date(event.received_at),
    email_message_id: email?.id ?? null,
  })
  if (!isNew) return { matched: (await findMessageIdOfEvent(tx, external_id)) !== null }
  const address = email?.to_address ?? (event.kind === 'reply' ? undefined : event.email)
  if (address !== undefined) await suppressReported(tx, services, address, event)
  if (email) await applyEvent(tx, actor, services, email, { ...event, id })
  return { matched: email !== undefined }
}

async function findEmail(tx: TenantTx, services: Services, event: NewEmailEvent): Promise<SentEmail | undefined> {
  const messageIds = messageIdsOf(event)
  const named = messageIds.length ? await listEmailsByMessageIds(tx, messageIds) : []
  const byMessageId = new Map(named.map((email) => [email.message_id, email]))
  const first = messageIds.find((messageId) => byMessageId.has(messageId))
  if (first !== undefined) return byMessageId.get(first)
  const address = event.kind === 'reply' ? event.from : event.email
  if (address === undefined) return undefined
  const since = daysLater(services.clock.now(), -matchedDays)
  return await findNewestEmailTo(
    tx,
    address.toLowerCase(),
    since,
    event.kind === 'reply' ? listRepliedKinds(services) : [],
  )
}

const listRepliedKinds = (services: Services): string[] =>
  [...emailKindsOf(services).values()].filter(({ expectsReplies }) => expectsReplies).map(({ kind }) => kind)

async function applyEvent(
  tx: TenantTx,
  actor: Actor,
  services: Services,
  email: SentEmail,
  event: NewEmailEvent & { id: string },
): Promise<void> {
  const { id, kind, ref_id, state } = email
  const receivedAt = new Date(event.received_at)
  const now = services.clock.now()
  if (event.kind === 'reply') {
    const auto_submitted = isAutomatic(event)
    if (!auto_submitted) {
      await logReply(tx, actor, services, email, event)
      await updateEmailRow(tx, id, { replied_at: receivedAt })
    }
    if (state === 'uncertain') await updateEmailRow(tx, id, { state: 'sent', sent_at: receivedAt })
    await emit(tx, emailReplied, { id }, { kind, ref_id, auto_submitted })
  } else if (event.kind === 'complaint') {
    await updateEmailRow(tx, id, { state: 'complained' })
    if (state !== 'complained') await recordReturnedEmails(tx, now, { complained: 1 })
    await emit(tx, emailComplained, { id }, { kind, ref_id })
  } else {
    if (event.bounce_type === 'hard' && state !== 'complained') {
      await updateEmailRow(tx, id, { state: 'bounced' })
      if (state !== 'bounced') await recordReturnedEmails(tx, now, { bounced: 1 })
    }
    await emit(tx, emailBounced, { id }, { kind, ref_id, bounce_type: event.bounce_type! })
  }
}

/** Logs the reply before the email is locked, because persons come first in the lock order. */
async function logReply(
  tx: TenantTx,
  actor: Actor,
  services: Services,
  { lead_id, contact_id }: SentEmail,
  { id, subject, text, received_at }: NewEmailEvent & { id: string },
): Promise<void> {
  const now = services.clock.now()
  const at = new Date(received_at)
  const activity = {
    type: 'email_replied',
    subject: subject?.slice(0, 200) ?? null,
    body: text?.slice(0, 20_000) ?? null,
    occurred_at: (at < now ? at : now).toISOString(),
    external_id: `email_event:${id}`,
  } as const
  const persons = [
    ...(lead_id ? [{ kind: 'lead', id: lead_id } as const] : []),
    ...(contact_id ? [{ kind: 'contact', id: contact_id } as const] : []),
  ]
  for (const person of persons) {
    try {
      await logActivity(tx, actor, person, activity, services)
      return
    } catch (error) {
      if (!(error instanceof AppError && error.status === 404)) throw error
    }
  }
}

/** A soft bounce and a reply do not stop email, unless the reply is the email that unsubscribes. */
async function suppressReported(tx: TenantTx, services: Services, email: string, event: NewEmailEvent): Promise<void> {
  const { kind, bounce_type, external_id } = event
  const isRequest = isUnsubscribeRequest(event)
  if ((kind === 'reply' && !isRequest) || bounce_type === 'soft') return
  const reason = isRequest ? 'unsubscribed' : kind === 'complaint' ? 'complained' : 'bounced'
  const source = `email event ${external_id}`.slice(0, 200)
  await recordOptOut(tx, services, { email, channel: 'email', reason, source })
}
