import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, notFound, unknownReference } from '#platform/errors'
import { emit } from '#platform/outbox'
import { opportunityUpdated } from '../../crm.events.ts'
import { lockOpportunity } from '../opportunities/opportunities.queries.ts'
import type { DealContact, NewDealContact } from '../opportunities/opportunities.schemas.ts'
import { lockContactExists } from '../opportunities/opportunity-contacts.queries.ts'
import { listDealContactDetails } from '../opportunities/opportunity-details.service.ts'
import { advanceContacts } from '../opportunities/stage-change.service.ts'
import {
  countDealContacts,
  deleteDealContactRow,
  findDealContactRole,
  upsertDealContact,
} from './deal-contacts.queries.ts'

const maxContacts = 200

export async function addDealContact(
  tx: TenantTx,
  opportunityId: string,
  { contact_id, role }: NewDealContact,
  now: Date,
): Promise<{ dealContact: DealContact; isNew: boolean }> {
  const deal = await lockOpportunity(tx, opportunityId)
  if (!(await lockContactExists(tx, contact_id))) throw unknownReference('/contact_id', 'contact')
  const before = await findDealContactRole(tx, opportunityId, contact_id)
  const isNew = before === undefined
  if (isNew && (await countDealContacts(tx, opportunityId)) >= maxContacts)
    throw conflict('conflict', `A deal cannot have more than ${maxContacts} contacts.`)
  if (before !== role) {
    await upsertDealContact(tx, { opportunity_id: opportunityId, contact_id, role })
    const toAuditState = (role: string | undefined) => (role === undefined ? null : { contact_id, role })
    await recordAudit(tx, isNew ? 'opportunity.contact_added' : 'opportunity.contact_updated', {
      id: opportunityId,
      label: deal.name,
      before: toAuditState(before),
      after: toAuditState(role),
    })
    await emit(tx, opportunityUpdated, deal, { changed: ['contacts'] })
    if (isNew) await advanceContacts(tx, deal, [contact_id], now)
  }
  const dealContacts = await listDealContactDetails(tx, opportunityId)
  return { dealContact: dealContacts.find((one) => one.contact_id === contact_id)!, isNew }
}

export async function removeDealContact(tx: TenantTx, opportunityId: string, contactId: string): Promise<void> {
  const deal = await lockOpportunity(tx, opportunityId)
  const role = await findDealContactRole(tx, opportunityId, contactId)
  if (role === undefined) throw notFound('contact of this opportunity')
  await deleteDealContactRow(tx, opportunityId, contactId)
  await recordAudit(tx, 'opportunity.contact_removed', {
    id: opportunityId,
    label: deal.name,
    before: { contact_id: contactId, role },
  })
  await emit(tx, opportunityUpdated, deal, { changed: ['contacts'] })
}
