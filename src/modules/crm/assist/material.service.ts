import { createHash } from 'node:crypto'
import { namesOfUsers } from '#modules/identity'
import { canonicalJson } from '#platform/canonical-json'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { currencyDigits } from '#platform/money'
import { getLead, type LeadRow, lockLead } from '../leads/leads.queries.ts'
import { readScoringConfig } from '../scoring/scoring.service.ts'
import { baseCurrencyOf, readCrmSettings } from '../settings/crm-settings.queries.ts'
import { latestMoments, momentsFrom } from './assist.queries.ts'
import { answers, manyUnanswered, ourTouches } from './draft.rules.ts'
import { type Material, mostMoments } from './material.rules.ts'
import { interestDays, interests } from './qualify.rules.ts'

const theBeginning = new Date(0)

/** All that is needed to think about a lead, so that nothing has to be asked of the database while a model thinks. */
export async function gatherMaterial(tx: TenantTx, leadId: string, now: Date): Promise<Material> {
  const lead = assertMayBeProcessed(await getLead(tx, leadId))
  const names = await namesOfUsers(tx, lead.owner_id === null ? [] : [lead.owner_id])
  const [answer] = await momentsFrom(tx, leadId, answers, { since: theBeginning, limit: 1 })
  const touches = await momentsFrom(tx, leadId, ourTouches, { since: theBeginning, limit: manyUnanswered })
  const { grade_thresholds } = await readScoringConfig(tx)
  return {
    lead,
    owner: names.get(lead.owner_id ?? '') ?? null,
    moments: await latestMoments(tx, leadId, mostMoments),
    interest: await momentsFrom(tx, leadId, interests, { since: daysLater(now, -interestDays), limit: mostMoments }),
    touchedAt: touches.map(({ occurred_at }) => occurred_at),
    answeredAt: answer?.occurred_at ?? null,
    markOfA: grade_thresholds.a,
    millionMinor: 1_000_000 * 10 ** currencyDigits(await baseCurrencyOf(tx)),
    settings: await readCrmSettings(tx),
    now,
  }
}

/** Much can happen while a model thinks: the lead may be gone, or its person have objected. Neither can until we are done. */
export const stillThere = async (tx: TenantTx, leadId: string): Promise<LeadRow> =>
  assertMayBeProcessed(await lockLead(tx, leadId))

function assertMayBeProcessed(lead: LeadRow): LeadRow {
  if (!lead.processing_restricted) return lead
  const message = 'The person behind this lead has restricted what may be done with their data.'
  throw conflict('processing_restricted', message)
}

/** Tells whether two answers were given to the same question. */
export const hashOf = (question: object): Buffer => createHash('sha256').update(canonicalJson(question)).digest()
