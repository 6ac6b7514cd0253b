import { readCrmSettings } from '#modules/crm'
import {
  emailDomainOf,
  findUserEmails,
  findUserNames,
  getTenant,
  isPublicEmailDomain,
  workspaceUrl,
} from '#modules/identity'
import type { Config } from '#platform/config'
import type { TenantTx } from '#platform/db'
import type { AllowedSenders, OwnDomains } from './link-domains.rules.ts'

export async function readOwnDomains(tx: TenantTx, config: Config): Promise<OwnDomains> {
  const [{ slug }, { sending }] = await Promise.all([getTenant(tx), readCrmSettings(tx)])
  const ofSender = sending.from_address === null ? undefined : emailDomainOf(sending.from_address)
  return [
    new URL(workspaceUrl(config, slug, '/')).hostname,
    ...(ofSender !== undefined && !isPublicEmailDomain(ofSender) ? [ofSender] : []),
    ...sending.link_domains,
  ]
}

export async function readAllowedSenders(
  tx: TenantTx,
  ownerIds: readonly string[],
): Promise<(ownerId: string) => AllowedSenders> {
  const [{ name }, { sending }, names, addresses] = await Promise.all([
    getTenant(tx),
    readCrmSettings(tx),
    findUserNames(tx, ownerIds),
    findUserEmails(tx, ownerIds),
  ])
  return (ownerId) => ({
    names: [name, sending.from_name, names.get(ownerId), ...sending.allowed_from_names],
    addresses: [sending.from_address, addresses.get(ownerId), ...sending.allowed_reply_to],
  })
}
