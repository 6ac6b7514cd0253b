import { findAccountIdsByDomains, findContactReferences, findPersonsByEmails, listLeadMilestones } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import { markEffectsDue } from '../actors/mark-effects.queries.ts'
import {
  type LinkableActor,
  type LinkUpdate,
  listCrmAccountsOf,
  listEmailsOfAccounts,
  lockLinkableActors,
  markEffectsOfMoved,
  updateLinks,
} from './link-actors.queries.ts'
import { commonDomainOf, isSameLink, linkPerson, maxLeadsPerAccount } from './link-actors.rules.ts'
import { markPeopleOfAccounts } from './marks.queries.ts'

const peopleCompared = 500

/** Links actors to the records of the CRM, accounts first. Nothing else of the CRM is changed or locked. */
export async function linkActors(tx: TenantTx, actorIds: readonly string[]): Promise<void> {
  const actors = await lockLinkableActors(tx, actorIds)
  const accounts = await planAccountLinks(
    tx,
    actors.filter(({ is_account }) => is_account),
  )
  await updateLinks(tx, accounts)
  if (accounts.length)
    await markPeopleOfAccounts(
      tx,
      accounts.map(({ id }) => id),
    )
  const people = await planPersonLinks(
    tx,
    actors.filter(({ is_account }) => !is_account),
  )
  await updateLinks(tx, people)
  const changedIds = [...accounts, ...people].map(({ id }) => id)
  if (changedIds.length) await markEffectsDue(tx, changedIds)
  await markEffectsOfMoved(tx, actorIds, maxLeadsPerAccount)
}

async function planAccountLinks(tx: TenantTx, actors: readonly LinkableActor[]): Promise<LinkUpdate[]> {
  if (!actors.length) return []
  const withoutDomain = actors.filter(({ domain }) => domain === null).map(({ id }) => id)
  const emails = withoutDomain.length ? await listEmailsOfAccounts(tx, withoutDomain, peopleCompared) : new Map()
  const domainOf = ({ id, domain }: LinkableActor) => domain ?? commonDomainOf(emails.get(id) ?? [])
  const domains = actors.flatMap((actor) => domainOf(actor) ?? [])
  const accountIds = await findAccountIdsByDomains(tx, domains)
  return actors.flatMap((actor) => {
    const domain = domainOf(actor)
    const account_id = (domain && accountIds.get(domain)) ?? null
    const links = { contact_id: null, lead_id: null, account_id, link_method: account_id ? ('domain' as const) : null }
    return isSameLink(actor, links) ? [] : [{ id: actor.id, domain: account_id ? domain : actor.domain, ...links }]
  })
}

async function planPersonLinks(tx: TenantTx, actors: readonly LinkableActor[]): Promise<LinkUpdate[]> {
  if (!actors.length) return []
  const emails = actors.flatMap(({ email }) => email ?? [])
  const [persons, productAccounts] = await Promise.all([
    findPersonsByEmails(tx, emails),
    listCrmAccountsOf(
      tx,
      actors.flatMap(({ account_actor_id }) => account_actor_id ?? []),
    ),
  ])
  const found = [...persons.values()]
  const [contacts, milestones] = await Promise.all([
    findContactReferences(
      tx,
      found.flatMap(({ contact_id }) => contact_id ?? []),
    ),
    listLeadMilestones(
      tx,
      found.flatMap(({ lead_id }) => lead_id ?? []),
    ),
  ])
  const isConverted = new Set(milestones.filter(({ is_converted }) => is_converted).map(({ id }) => id))
  return actors.flatMap((actor) => {
    const { contact_id: contactId = null, lead_id: leadId = null } = persons.get(actor.email ?? '') ?? {}
    const contactAccountId = (contactId && contacts.get(contactId)?.account_id) || null
    const openLeadId = leadId && !isConverted.has(leadId) ? leadId : null
    const productAccountId = (actor.account_actor_id && productAccounts.get(actor.account_actor_id)) || null
    const links = linkPerson(actor, { contactId, contactAccountId, leadId: openLeadId }, productAccountId)
    return isSameLink(actor, links) ? [] : [{ id: actor.id, domain: actor.domain, ...links }]
  })
}
