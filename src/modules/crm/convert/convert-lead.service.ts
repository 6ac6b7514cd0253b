import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { invalid, pointingInto, scopeRequired } from '#platform/errors'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import type { AccountRow } from '../accounts/accounts.queries.ts'
import { touchAround } from '../activities/activity-parents.queries.ts'
import { noteSystemActivity } from '../activities/system-activities.queries.ts'
import type { ContactRow } from '../contacts/contacts.queries.ts'
import { leadConverted } from '../crm.events.ts'
import { assertAssignable } from '../leads/assignment.service.ts'
import { changeLeadFields, getLead, type LeadRow, lockLead } from '../leads/leads.queries.ts'
import { atLeast } from '../leads/stage.rules.ts'
import { announceStage, stageFields } from '../leads/stage.service.ts'
import { assertStatusStep } from '../leads/status.rules.ts'
import { announceStatus } from '../leads/status.service.ts'
import type { OpportunityRow } from '../opportunities/opportunities.queries.ts'
import { pipelineForDeal } from '../opportunities/pipelines.service.ts'
import { isScoringField, readScoringConfig, rescoreLead } from '../scoring/scoring.service.ts'
import { carryHistoryOf } from './carry-history.jobs.ts'
import type { Conversion, ConversionWish } from './convert.schemas.ts'
import { openDeal, ownerStillHere, takeAccount, takeContact } from './convert-parties.service.ts'
import { lockMatches } from './match-lead.service.ts'
import { repeatConversion } from './repeat-conversion.service.ts'
import { showConversion } from './show-conversion.service.ts'

type ConvertServices = Pick<Services, 'clock' | 'secrets'>

/** Makes a contact of an account out of a lead, and a deal if asked to: all of it or nothing, and once. */
export async function convertLead(
  tx: TenantTx,
  actor: SignedIn,
  leadId: string,
  wish: ConversionWish,
  services: ConvertServices,
): Promise<Conversion> {
  assertWish(actor, wish)
  await getLead(tx, leadId)
  // Pipelines come ahead of leads, as wherever both are held.
  if (wish.create_opportunity)
    await pointingInto('/opportunity', () => pipelineForDeal(tx, wish.opportunity?.pipeline_id))
  const lead = await lockLead(tx, leadId)
  if (lead.status === 'converted') return await repeatConversion(tx, actor, lead, wish, services)
  if (lead.status === 'unqualified') assertStatusStep(lead.status, 'converted')
  await assertAssignable(tx, wish.owner_id)

  const owner_id = wish.owner_id ?? (await ownerStillHere(tx, lead.owner_id))
  const met = await lockMatches(tx, lead, wish)
  const account = await takeAccount(tx, actor, { lead, met: met.account, owner_id }, services)
  const contact = await takeContact(tx, actor, { lead, met: met.contact, owner_id, account }, services)
  const deal = wish.create_opportunity
    ? await openDeal(tx, actor, { lead, account, contact, owner_id, wish }, services)
    : undefined
  const converted = await writeConversion(tx, actor, { lead, account, contact, deal }, services.clock.now())
  const created = { account: !met.account, contact: !met.contact, opportunity: deal !== undefined }
  return await showConversion(tx, converted, { created, already_converted: false }, services.clock.now())
}

function assertWish({ scopes }: SignedIn, { create_opportunity, opportunity }: ConversionWish): void {
  if (create_opportunity && !scopes.has('opportunities.write')) throw scopeRequired('opportunities.write')
  if (opportunity && !create_opportunity)
    throw invalid('body', '/opportunity', 'unexpected', 'Say create_opportunity, or leave the deal out.')
}

type Parties = { lead: LeadRow; account: AccountRow; contact: ContactRow; deal?: OpportunityRow }

async function writeConversion(
  tx: TenantTx,
  actor: SignedIn,
  { lead: before, account, contact, deal }: Parties,
  now: Date,
): Promise<LeadRow> {
  // A deal that was won at once has moved the lead already.
  const lead = deal ? await lockLead(tx, before.id) : before
  const stage = atLeast(lead.lifecycle_stage, deal ? 'opportunity' : 'sql')
  const made = { account_id: account.id, contact_id: contact.id, opportunity_id: deal?.id ?? null }
  const converted = await changeLeadFields(tx, lead.id, {
    status: 'converted',
    converted_at: now,
    converted_by: actor.userId,
    converted_account_id: made.account_id,
    converted_contact_id: made.contact_id,
    converted_opportunity_id: made.opportunity_id,
    ...(stage !== lead.lifecycle_stage && stageFields(lead, stage, now)),
  })
  await record(tx, 'lead.converted', { id: lead.id, label: lead.name, before: lead, after: converted })
  await announceStatus(tx, lead, converted, { cause: 'convert', now })
  if (stage !== lead.lifecycle_stage) await announceStage(tx, lead, converted, { cause: 'convert', now })
  await noteSystemActivity(tx, { lead_id: lead.id }, { type: 'converted', meta: made, at: now })
  await emit(tx, leadConverted, converted, made)
  await handOver(tx, converted)
  const config = await readScoringConfig(tx)
  const isScored = ['status', 'lifecycle_stage'].some((field) => isScoringField(config, field))
  return isScored ? await rescoreLead(tx, lead.id, { cause: 'changed', now }) : converted
}

/** What happened with the lead goes on with its contact and account. */
async function handOver(tx: TenantTx, lead: LeadRow): Promise<void> {
  await carryHistoryOf(tx, lead.id)
  const around = { account_id: lead.converted_account_id, contact_id: lead.converted_contact_id }
  if (lead.last_activity_at) await touchAround(tx, around, { at: lead.last_activity_at, isEngagement: false })
  if (lead.last_engaged_at) await touchAround(tx, around, { at: lead.last_engaged_at, isEngagement: true })
}
