import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { lockAnyAccount } from '../accounts/accounts.queries.ts'
import { lockContacts } from '../contacts/contacts.queries.ts'
import { leadUpdated } from '../crm.events.ts'
import { assertAssignable } from '../leads/assignment.service.ts'
import { changeLeadFields, type LeadRow, lockLead } from '../leads/leads.queries.ts'
import { atLeast } from '../leads/stage.rules.ts'
import { announceStage, stageFields } from '../leads/stage.service.ts'
import type { Conversion, ConversionWish } from './convert.schemas.ts'
import { openDeal, ownerStillHere } from './convert-parties.service.ts'
import { showConversion } from './show-conversion.service.ts'

/** Asked again, a conversion answers what it made. A deal that was not asked for the first time is opened now, once. */
export async function repeatConversion(
  tx: TenantTx,
  actor: SignedIn,
  lead: LeadRow,
  wish: ConversionWish,
  services: Pick<Services, 'clock' | 'secrets'>,
): Promise<Conversion> {
  const opens = wish.create_opportunity && lead.converted_opportunity_id === null
  const after = opens ? await addDeal(tx, actor, lead, wish, services) : lead
  const created = { account: false, contact: false, opportunity: opens }
  return await showConversion(tx, after, { created, already_converted: true }, services.clock.now())
}

async function addDeal(
  tx: TenantTx,
  actor: SignedIn,
  lead: LeadRow,
  wish: ConversionWish,
  services: Pick<Services, 'clock' | 'secrets'>,
): Promise<LeadRow> {
  const now = services.clock.now()
  await assertAssignable(tx, wish.owner_id)
  const account = lead.converted_account_id ? await lockAnyAccount(tx, lead.converted_account_id) : undefined
  const [contact] = lead.converted_contact_id ? await lockContacts(tx, [lead.converted_contact_id]) : []
  if (!account || account.deleted_at !== null || !contact)
    throw conflict('conflict', 'What the lead was converted to was deleted. Restore the account and the contact first.')
  const owner_id = wish.owner_id ?? (await ownerStillHere(tx, contact.owner_id))
  const deal = await openDeal(tx, actor, { lead, account, contact, owner_id, wish }, services)

  // A deal that was won at once has moved the lead already.
  const before = await lockLead(tx, lead.id)
  const stage = atLeast(before.lifecycle_stage, 'opportunity')
  const isLifted = stage !== before.lifecycle_stage
  const changed = await changeLeadFields(tx, lead.id, {
    converted_opportunity_id: deal.id,
    ...(isLifted && stageFields(before, stage, now)),
  })
  await record(tx, 'lead.updated', { id: lead.id, label: lead.name, before, after: changed })
  await emit(tx, leadUpdated, changed, { changed: ['converted_opportunity_id'] })
  if (isLifted) await announceStage(tx, before, changed, { cause: 'convert', now })
  return changed
}
