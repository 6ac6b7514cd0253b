import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import type { Services } from '#platform/module'
import { hashToken } from '#platform/secrets'
import { mayContact } from '../consent/may-contact.service.ts'
import { recordOptOut } from '../consent/record-opt-out.service.ts'
import { maskEmailAddress } from './email-content.rules.ts'
import { emailKindsOf } from './email-kind.ts'
import { findEmailByToken } from './email-messages.queries.ts'

export type LinkState = { email_masked: string; status: 'subscribed' | 'unsubscribed' }

/** Changes nothing, because mail scanners follow links. */
export async function getUnsubscribeLink(tx: TenantTx, services: Services, token: string): Promise<LinkState> {
  const { address, channel } = await getLink(tx, services, token)
  const permission = (await mayContact(tx, services, [address], { channel })).get(address)!
  const isUnsubscribed = !permission.allowed && permission.code === 'opted_out'
  return { email_masked: maskEmailAddress(address), status: isUnsubscribed ? 'unsubscribed' : 'subscribed' }
}

export async function unsubscribe(tx: TenantTx, services: Services, token: string) {
  const { id, address, channel } = await getLink(tx, services, token)
  const source = `unsubscribe link of email ${id}`
  await recordOptOut(tx, services, { email: address, channel, reason: 'unsubscribed', source })
  return { email_masked: maskEmailAddress(address), status: 'unsubscribed' as const }
}

async function getLink(tx: TenantTx, services: Services, token: string) {
  const email = await findEmailByToken(tx, hashToken(token))
  if (!email?.to_address) throw notFound('link')
  return {
    id: email.id,
    address: email.to_address,
    channel: emailKindsOf(services).get(email.kind)?.channel ?? 'email',
  }
}
