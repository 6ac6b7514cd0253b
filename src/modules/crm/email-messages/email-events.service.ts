import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { recordOptOut } from '../consent/record-opt-out.service.ts'
import { emailBounced, emailComplained, emailReplied } from '../crm.events.ts'
import { findMessageIdOfEvent, insertEmailEvent } from './email-events.queries.ts'
import type { NewEmailEvent } from './email-events.schemas.ts'
import { findEmailByMessageId, updateEmailRow } from './email-messages.queries.ts'

type SentEmail = NonNullable<Awaited<ReturnType<typeof findEmailByMessageId>>>

export async function recordEmailEvent(tx: TenantTx, services: Services, event: NewEmailEvent) {
  assertComplete(event)
  const messageIds = [event.message_id, event.in_reply_to].filter((id) => id !== undefined).map(withBrackets)
  const email = await findEmailByMessageId(tx, messageIds)
  const { kind, external_id, bounce_type = null } = event
  const receivedAt = new Date(event.received_at)
  const isNew = await insertEmailEvent(tx, {
    id: newId(),
    external_id,
    kind,
    bounce_type,
    received_at: receivedAt,
    email_message_id: email?.id ?? null,
  })
  if (!isNew) return { matched: (await findMessageIdOfEvent(tx, external_id)) !== null }
  if (email) await applyEvent(tx, services, email, event, receivedAt)
  else if (event.email !== undefined) await suppressReported(tx, services, event.email, event)
  return { matched: email !== undefined }
}

function assertComplete({ kind, message_id, in_reply_to, email, bounce_type }: NewEmailEvent): void {
  if (kind === 'reply' && email !== undefined)
    throw invalid('body', '/email', 'unexpected', '`email` must not be sent if `kind` is reply.')
  if (message_id === undefined && in_reply_to === undefined && email === undefined)
    throw invalid('body', '/message_id', 'required', '`message_id`, `in_reply_to` or `email` is required.')
  if ((kind === 'bounce') === (bounce_type === undefined)) {
    const code = kind === 'bounce' ? 'required' : 'unexpected'
    const rule = kind === 'bounce' ? 'is required' : 'must not be sent'
    throw invalid('body', '/bounce_type', code, `\`bounce_type\` ${rule} if \`kind\` is ${kind}.`)
  }
}

const withBrackets = (messageId: string): string => `<${messageId.replace(/^<|>$/g, '')}>`

async function applyEvent(
  tx: TenantTx,
  services: Services,
  { id, kind, ref_id, to_address, state }: SentEmail,
  event: NewEmailEvent,
  receivedAt: Date,
): Promise<void> {
  if (to_address) await suppressReported(tx, services, to_address, event)
  if (event.kind === 'reply') {
    await updateEmailRow(tx, id, {
      replied_at: receivedAt,
      ...(state === 'uncertain' && { state: 'sent', sent_at: receivedAt }),
    })
    await emit(tx, emailReplied, { id }, { kind, ref_id })
  } else if (event.kind === 'complaint') {
    await updateEmailRow(tx, id, { state: 'complained' })
    await emit(tx, emailComplained, { id }, { kind, ref_id })
  } else {
    if (event.bounce_type === 'hard' && state !== 'complained') await updateEmailRow(tx, id, { state: 'bounced' })
    await emit(tx, emailBounced, { id }, { kind, ref_id, bounce_type: event.bounce_type! })
  }
}

/** A soft bounce and a reply do not stop email. */
async function suppressReported(
  tx: TenantTx,
  services: Services,
  email: string,
  { kind, bounce_type, external_id }: NewEmailEvent,
): Promise<void> {
  if (kind === 'reply' || bounce_type === 'soft') return
  const reason = kind === 'complaint' ? 'complained' : 'bounced'
  const source = `email event ${external_id}`.slice(0, 200)
  await recordOptOut(tx, services, { email, channel: 'email', reason, source })
}
