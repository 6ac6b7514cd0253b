import { findContactPermissions, mayContact, recordOptIn, recordOptOut } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import type { Services } from '#platform/module'
import { hashToken } from '#platform/secrets'
import { maskEmailAddress } from '../messages/email-content.rules.ts'
import { emailKindsOf } from '../messages/email-kind.ts'
import { findEmailByToken } from '../messages/email-messages.queries.ts'
import { openUnsubscribeToken, type UnsubscribeLink } from '../messages/unsubscribe-tokens.ts'

export type LinkState = { email_masked: string; status: 'subscribed' | 'unsubscribed' }
export type EmailPreferences = { email: boolean; survey: boolean }
export type PreferencesState = { email_masked: string; channel: 'email' | 'survey'; preferences: EmailPreferences }

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

/** Changes nothing. An opt-out of `email` stops surveys too. */
export async function getEmailPreferences(tx: TenantTx, services: Services, token: string): Promise<PreferencesState> {
  const { address, channel } = await getLink(tx, services, token)
  const isOn = async (one: 'email' | 'survey') => {
    const permission = (await findContactPermissions(tx, services, [address], { channel: one })).get(address)!
    return permission.allowed || permission.code !== 'opted_out'
  }
  const [email, survey] = [await isOn('email'), await isOn('survey')]
  return { email_masked: maskEmailAddress(address), channel, preferences: { email, survey } }
}

export async function replaceEmailPreferences(
  tx: TenantTx,
  services: Services,
  token: string,
  preferences: EmailPreferences,
): Promise<PreferencesState> {
  const { id, address: email } = await getLink(tx, services, token)
  const source = `preferences page of email ${id}`
  const evidence = 'The recipient selected this channel on the preferences page.'
  for (const channel of ['email', 'survey'] as const) {
    if (preferences[channel]) await recordOptIn(tx, services, { email, channel, source, evidence })
    else await recordOptOut(tx, services, { email, channel, reason: 'unsubscribed', source })
  }
  return await getEmailPreferences(tx, services, token)
}

async function getLink(tx: TenantTx, services: Services, token: string): Promise<UnsubscribeLink> {
  const link = await openUnsubscribeToken(tx, services, token)
  if (link) return link
  const email = await findEmailByToken(tx, hashToken(token))
  if (!email?.to_address) throw notFound('link')
  return {
    id: email.id,
    address: email.to_address,
    channel: emailKindsOf(services).get(email.kind)?.channel ?? 'email',
  }
}
