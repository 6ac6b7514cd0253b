import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, notFound, unknownReference } from '#platform/errors'
import { emit } from '#platform/outbox'
import { opportunityUpdated } from '../crm.events.ts'
import { countDealContacts, deleteDealContact, findRole, storeDealContact } from './deal-contacts.queries.ts'
import { lockOpportunity } from './opportunities.queries.ts'
import type { DealContact, InvolvedContact } from './opportunities.schemas.ts'
import { contactExists } from './parties.queries.ts'
import { showContacts } from './show-opportunities.service.ts'
import { liftContacts } from './step.service.ts'

const mostContacts = 200

/** Gives somebody a part in a deal, or another part to whoever has one. Tells whether they are new to it. */
export async function involveContact(
  tx: TenantTx,
  opportunityId: string,
  { contact_id, role }: InvolvedContact,
  now: Date,
): Promise<{ part: DealContact; isNew: boolean }> {
  const deal = await lockOpportunity(tx, opportunityId)
  if (!(await contactExists(tx, contact_id))) throw unknownReference('/contact_id', 'contact')
  const before = await findRole(tx, opportunityId, contact_id)
  const isNew = before === undefined
  if (isNew && (await countDealContacts(tx, opportunityId)) >= mostContacts)
    throw conflict('conflict', `At most ${mostContacts} contacts have a part in a deal.`)
  if (before !== role) {
    await storeDealContact(tx, { opportunity_id: opportunityId, contact_id, role })
    const part = (played: string | undefined) => (played === undefined ? null : { contact_id, role: played })
    await record(tx, isNew ? 'opportunity.contact_added' : 'opportunity.contact_updated', {
      id: opportunityId,
      label: deal.name,
      before: part(before),
      after: part(role),
    })
    await emit(tx, opportunityUpdated, deal, { changed: ['contacts'] })
    if (isNew) await liftContacts(tx, deal, [contact_id], now)
  }
  const shown = await showContacts(tx, opportunityId)
  return { part: shown.find((one) => one.contact_id === contact_id)!, isNew }
}

export async function releaseContact(tx: TenantTx, opportunityId: string, contactId: string): Promise<void> {
  const deal = await lockOpportunity(tx, opportunityId)
  const role = await findRole(tx, opportunityId, contactId)
  if (role === undefined) throw notFound('contact of this opportunity')
  await deleteDealContact(tx, opportunityId, contactId)
  await record(tx, 'opportunity.contact_removed', {
    id: opportunityId,
    label: deal.name,
    before: { contact_id: contactId, role },
  })
  await emit(tx, opportunityUpdated, deal, { changed: ['contacts'] })
}
