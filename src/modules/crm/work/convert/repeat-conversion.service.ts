import { assertAssignable } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { emit } from '#platform/outbox'
import { leadUpdated } from '../../crm.events.ts'
import { lockAccountIncludingDeleted } from '../../people/accounts/accounts.queries.ts'
import { lockContacts } from '../../people/contacts/contacts.queries.ts'
import { emitStageChange, toLeadStageColumns } from '../../people/lead-records/lead-stage.service.ts'
import { type LeadRow, lockLead, updateLeadRow } from '../../people/lead-records/leads.queries.ts'
import { laterStage } from '../../people/lead-records/leads.rules.ts'
import { toConversion } from './conversion-details.service.ts'
import { activeOwnerOrNull, type ConvertServices, createDeal } from './conversion-records.service.ts'
import type { Conversion, ConvertLeadRequest } from './convert.schemas.ts'

/** Returns the existing conversion of a converted lead, and creates the deal if it has none yet. */
export async function repeatConversion(
  tx: TenantTx,
  actor: UserActor,
  lead: LeadRow,
  request: ConvertLeadRequest,
  services: ConvertServices,
): Promise<Conversion> {
  const createsDeal = request.create_opportunity && lead.converted_opportunity_id === null
  const converted = createsDeal ? await addDeal(tx, actor, lead, request, services) : lead
  const created = { account: false, contact: false, opportunity: createsDeal }
  return await toConversion(tx, converted, { created, already_converted: true }, services.clock.now())
}

async function addDeal(
  tx: TenantTx,
  actor: UserActor,
  lead: LeadRow,
  request: ConvertLeadRequest,
  services: ConvertServices,
): Promise<LeadRow> {
  const now = services.clock.now()
  await assertAssignable(tx, request.owner_id)
  const account = lead.converted_account_id
    ? await lockAccountIncludingDeleted(tx, lead.converted_account_id)
    : undefined
  const [contact] = lead.converted_contact_id ? await lockContacts(tx, [lead.converted_contact_id]) : []
  if (!account || account.deleted_at !== null || !contact)
    throw conflict('conflict', 'The account or contact of this conversion was deleted. Restore it first.')
  const owner_id = request.owner_id ?? (await activeOwnerOrNull(tx, contact.owner_id))
  const deal = await createDeal(tx, actor, { lead, account, contact, owner_id, request }, services)

  // Lock again: creating a won deal has already changed the lead.
  const before = await lockLead(tx, lead.id)
  const stage = laterStage(before.lifecycle_stage, 'opportunity')
  const hasNewStage = stage !== before.lifecycle_stage
  const changed = await updateLeadRow(tx, lead.id, {
    converted_opportunity_id: deal.id,
    ...(hasNewStage && toLeadStageColumns(before, stage, now)),
  })
  await recordAudit(tx, 'lead.updated', { id: lead.id, label: lead.name, before, after: changed })
  await emit(tx, leadUpdated, changed, { changed: ['converted_opportunity_id'] })
  if (hasNewStage) await emitStageChange(tx, before, changed, { cause: 'convert', now })
  return changed
}
