import { createHash } from 'node:crypto'
import { baseCurrencyOf, findUserNames } from '#modules/identity'
import { canonicalJson } from '#platform/canonical-json'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { currencyDigits } from '#platform/money'
import { getLead, type LeadRow, lockLead } from '../../people/lead-records/leads.queries.ts'
import { getScoringConfig } from '../../people/scoring/rescore-leads.service.ts'
import { readCrmSettings } from '../../records/settings/crm-settings.queries.ts'
import { listActivitiesBySource, listLatestActivities } from './assist.queries.ts'
import { type AssistContext, maxActivities } from './assist-context.rules.ts'
import { maxUnansweredTouches, outboundSources, replySources } from './draft.rules.ts'
import { interestDays, interestSources } from './qualify.rules.ts'

const epoch = new Date(0)

/** Loads everything at once, so that no transaction is open during a model call. */
export async function loadAssistContext(tx: TenantTx, leadId: string, now: Date): Promise<AssistContext> {
  const lead = assertProcessingAllowed(await getLead(tx, leadId))
  const names = await findUserNames(tx, lead.owner_id === null ? [] : [lead.owner_id])
  const [reply] = await listActivitiesBySource(tx, leadId, replySources, { since: epoch, limit: 1 })
  const outbound = await listActivitiesBySource(tx, leadId, outboundSources, {
    since: epoch,
    limit: maxUnansweredTouches,
  })
  const { grade_thresholds } = await getScoringConfig(tx)
  return {
    lead,
    ownerName: names.get(lead.owner_id ?? '') ?? null,
    activities: await listLatestActivities(tx, leadId, maxActivities),
    interestActivities: await listActivitiesBySource(tx, leadId, interestSources, {
      since: daysLater(now, -interestDays),
      limit: maxActivities,
    }),
    outboundAt: outbound.map(({ occurred_at }) => occurred_at),
    lastReplyAt: reply?.occurred_at ?? null,
    gradeAThreshold: grade_thresholds.a,
    millionInMinorUnits: 1_000_000 * 10 ** currencyDigits(await baseCurrencyOf(tx)),
    settings: await readCrmSettings(tx),
    now,
  }
}

/** Checks again after the model has answered: the lead may have been deleted or restricted since. */
export const lockProcessableLead = async (tx: TenantTx, leadId: string): Promise<LeadRow> =>
  assertProcessingAllowed(await lockLead(tx, leadId))

function assertProcessingAllowed(lead: LeadRow): LeadRow {
  if (!lead.processing_restricted) return lead
  throw conflict('processing_restricted', 'The processing of personal data is restricted for this lead.')
}

export const hashInput = (input: object): Buffer => createHash('sha256').update(canonicalJson(input)).digest()
