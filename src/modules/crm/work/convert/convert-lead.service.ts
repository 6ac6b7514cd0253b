import { assertAssignable } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { invalid, scopeRequired, withErrorPathPrefix } from '#platform/errors'
import { emit } from '#platform/outbox'
import { leadConverted } from '../../crm.events.ts'
import type { OpportunityRow } from '../../deals/opportunities/opportunities.queries.ts'
import { lockPipelineForDeal } from '../../deals/pipelines/pipelines.service.ts'
import type { AccountRow } from '../../people/accounts/accounts.queries.ts'
import type { ContactRow } from '../../people/contacts/contacts.queries.ts'
import { emitStageChange, toLeadStageColumns } from '../../people/lead-records/lead-stage.service.ts'
import { emitStatusChange } from '../../people/lead-records/lead-status.service.ts'
import { getLead, type LeadRow, lockLead, updateLeadRow } from '../../people/lead-records/leads.queries.ts'
import { assertLeadStatusTransition, laterStage } from '../../people/lead-records/leads.rules.ts'
import { getScoringConfig, isScoringField, rescoreLead } from '../../people/scoring/rescore-leads.service.ts'
import { insertSystemActivity } from '../../records/system-activities/system-activities.queries.ts'
import { updateLastActivity } from '../activities/activity-parents.queries.ts'
import { toConversion } from './conversion-details.service.ts'
import {
  activeOwnerOrNull,
  type ConvertServices,
  createDeal,
  findOrCreateAccount,
  findOrCreateContact,
} from './conversion-records.service.ts'
import type { Conversion, ConvertLeadRequest } from './convert.schemas.ts'
import { linkActivitiesOfLead } from './link-activities.jobs.ts'
import { lockMatchingRecords } from './match-records.service.ts'
import { repeatConversion } from './repeat-conversion.service.ts'

export async function convertLead(
  tx: TenantTx,
  actor: UserActor,
  leadId: string,
  request: ConvertLeadRequest,
  services: ConvertServices,
): Promise<Conversion> {
  assertValidRequest(actor, request)
  await getLead(tx, leadId)
  // Lock order: pipeline, lead.
  if (request.create_opportunity)
    await withErrorPathPrefix('/opportunity', () => lockPipelineForDeal(tx, request.opportunity?.pipeline_id))
  const lead = await lockLead(tx, leadId)
  if (lead.status === 'converted') return await repeatConversion(tx, actor, lead, request, services)
  if (lead.status === 'unqualified') assertLeadStatusTransition(lead.status, 'converted')
  await assertAssignable(tx, request.owner_id)

  const owner_id = request.owner_id ?? (await activeOwnerOrNull(tx, lead.owner_id))
  const matches = await lockMatchingRecords(tx, lead, request)
  const account = await findOrCreateAccount(tx, actor, { lead, existing: matches.account, owner_id }, services)
  const contact = await findOrCreateContact(tx, actor, { lead, existing: matches.contact, owner_id, account }, services)
  const deal = request.create_opportunity
    ? await createDeal(tx, actor, { lead, account, contact, owner_id, request }, services)
    : undefined
  const converted = await writeConversion(tx, actor, { lead, account, contact, deal }, services.clock.now())
  const created = { account: !matches.account, contact: !matches.contact, opportunity: deal !== undefined }
  return await toConversion(tx, converted, { created, already_converted: false }, services.clock.now())
}

function assertValidRequest({ scopes }: UserActor, { create_opportunity, opportunity }: ConvertLeadRequest): void {
  if (create_opportunity && !scopes.has('opportunities.write')) throw scopeRequired('opportunities.write')
  if (opportunity && !create_opportunity)
    throw invalid('body', '/opportunity', 'unexpected', '`opportunity` requires `create_opportunity: true`.')
}

type ConvertedRecords = { lead: LeadRow; account: AccountRow; contact: ContactRow; deal?: OpportunityRow }

async function writeConversion(
  tx: TenantTx,
  actor: UserActor,
  { lead: before, account, contact, deal }: ConvertedRecords,
  now: Date,
): Promise<LeadRow> {
  // Lock again: creating a won deal has already changed the lead.
  const lead = deal ? await lockLead(tx, before.id) : before
  const stage = laterStage(lead.lifecycle_stage, deal ? 'opportunity' : 'sql')
  const ids = { account_id: account.id, contact_id: contact.id, opportunity_id: deal?.id ?? null }
  const converted = await updateLeadRow(tx, lead.id, {
    status: 'converted',
    converted_at: now,
    converted_by: actor.userId,
    converted_account_id: ids.account_id,
    converted_contact_id: ids.contact_id,
    converted_opportunity_id: ids.opportunity_id,
    ...(stage !== lead.lifecycle_stage && toLeadStageColumns(lead, stage, now)),
  })
  await recordAudit(tx, 'lead.converted', { id: lead.id, label: lead.name, before: lead, after: converted })
  await emitStatusChange(tx, lead, converted, { cause: 'convert', now })
  if (stage !== lead.lifecycle_stage) await emitStageChange(tx, lead, converted, { cause: 'convert', now })
  await insertSystemActivity(tx, { lead_id: lead.id }, { type: 'converted', meta: ids, at: now })
  await emit(tx, leadConverted, converted, ids)
  await linkHistory(tx, converted)
  const config = await getScoringConfig(tx)
  const affectsScore = ['status', 'lifecycle_stage'].some((field) => isScoringField(config, field))
  return affectsScore ? await rescoreLead(tx, lead.id, { cause: 'changed', now }) : converted
}

async function linkHistory(tx: TenantTx, lead: LeadRow): Promise<void> {
  await linkActivitiesOfLead(tx, lead.id)
  const parents = { account_id: lead.converted_account_id, contact_id: lead.converted_contact_id }
  if (lead.last_activity_at) await updateLastActivity(tx, parents, { at: lead.last_activity_at, isEngagement: false })
  if (lead.last_engaged_at) await updateLastActivity(tx, parents, { at: lead.last_engaged_at, isEngagement: true })
}
