import { isDeepStrictEqual } from 'node:util'
import { readSettings } from '#modules/identity'
import { recordAuditEntries } from '#platform/audit'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { emitMany } from '#platform/outbox'
import { leadGradeChanged } from '../../crm.events.ts'
import { insertSystemActivities } from '../../records/system-activities/system-activities.queries.ts'
import { setLeadStages } from '../lead-records/lead-stage.service.ts'
import { type LeadRow, lockLead } from '../lead-records/leads.queries.ts'
import type { ScoreReason } from '../lead-records/leads.schemas.ts'
import { readParsedScoringConfig } from './parsed-scoring-config.service.ts'
import { becomesMql, calculateScore, type LeadScore } from './score.rules.ts'
import {
  deleteScoreComponentRow,
  getScoringConfig,
  insertScoreHistory,
  listRecentSignals,
  listScoreComponents,
  updateScoreRows,
  upsertScoreComponent,
} from './scoring.queries.ts'
import type { RecomputedScore, Scores, VersionedScoringConfig } from './scoring.schemas.ts'

export { isScoringField } from './score.rules.ts'
export { getScoringConfig } from './scoring.queries.ts'

/** `cause` is stored in the score history. */
export type RescoreOptions = { cause: string; now: Date }

export async function rescoreLead(tx: TenantTx, leadId: string, { cause, now }: RescoreOptions): Promise<LeadRow> {
  const lead = await lockLead(tx, leadId)
  const [rescored] = await rescoreLeads(tx, [lead], { cause, now })
  return rescored!
}

/** Rescores locked leads. A transaction that creates or restores leads holds `lockScoringConfigShared`: a rescore cannot see them yet. */
export async function rescoreLeads(
  tx: TenantTx,
  leads: readonly LeadRow[],
  { cause, now }: RescoreOptions,
): Promise<LeadRow[]> {
  if (!leads.length) return []
  const config = await getScoringConfig(tx)
  const scores = await calculateScores(tx, leads, config, now)
  const rescored = leads.map((lead, index) => withScore(lead, scores[index]!, config.version, now))
  const changed = rescored.filter((lead, index) => lead !== leads[index])
  if (changed.length) {
    await updateScoreRows(tx, changed)
    await insertScoreHistory(tx, changed, cause)
  }
  await emitGradeChanges(tx, leads, rescored, now)
  const newMqls = rescored.filter((lead, index) => becomesMql(leads[index]!, lead, config))
  const advanced = await setLeadStages(tx, newMqls, 'mql', { cause: 'score', now })
  return rescored.map((lead) => advanced.get(lead.id) ?? lead)
}

async function calculateScores(
  tx: TenantTx,
  leads: readonly LeadRow[],
  config: VersionedScoringConfig,
  now: Date,
): Promise<LeadScore[]> {
  const { currency, timezone } = await readSettings(tx, 'general')
  const ids = leads.map(({ id }) => id)
  const { rules, window_days } = config.engagement
  const signals = [...new Set(rules.map(({ signal }) => signal))]
  const signalsByLead = await listRecentSignals(tx, ids, signals, daysLater(now, -window_days))
  const componentsByLead = await listScoreComponents(tx, ids)
  const parsed = await readParsedScoringConfig(tx, config, currency)
  return leads.map((lead) => {
    const [signals, components] = [signalsByLead.get(lead.id) ?? new Map(), componentsByLead.get(lead.id) ?? []]
    return calculateScore(parsed, { lead, signals, components }, { now, timezone, me: null })
  })
}

function withScore(lead: LeadRow, score: LeadScore, version: number, now: Date): LeadRow {
  const { fit_score, engagement_score, grade, score_reasons } = lead
  const previous = { fit_score, engagement_score, score: lead.score, grade, score_reasons }
  const isUnchanged = lead.scored_at !== null && lead.score_version === version && isDeepStrictEqual(previous, score)
  return isUnchanged ? lead : { ...lead, ...score, score_version: version, scored_at: now }
}

/** The first grade of a lead is not a change. One statement for all leads, because it runs while they are locked. */
async function emitGradeChanges(tx: TenantTx, before: readonly LeadRow[], after: readonly LeadRow[], at: Date) {
  const changes = after.flatMap((lead, index) => {
    const { scored_at, grade: from } = before[index]!
    const { grade: to, score } = lead
    return scored_at === null || from === to ? [] : [{ lead, data: { from, to, score } }]
  })
  await insertSystemActivities(
    tx,
    changes.map(({ lead, data: meta }) => ({
      parent: { lead_id: lead.id },
      activity: { type: 'grade_changed', meta, at },
    })),
  )
  await emitMany(
    tx,
    leadGradeChanged,
    changes.map(({ lead: subject, data }) => ({ subject, data })),
  )
}

export async function recomputeLeadScore(tx: TenantTx, leadId: string, now: Date): Promise<RecomputedScore> {
  const [recomputed] = await recomputeLeadScores(tx, [await lockLead(tx, leadId)], now)
  return recomputed!
}

export async function recomputeLeadScores(
  tx: TenantTx,
  leads: readonly LeadRow[],
  now: Date,
): Promise<RecomputedScore[]> {
  const rescored = await rescoreLeads(tx, leads, { cause: 'asked', now })
  const results = rescored.map((after, index) => ({
    lead_id: after.id,
    previous: scoresOf(leads[index]!),
    current: scoresOf(after),
    reasons: after.score_reasons as ScoreReason[],
    config_version: after.score_version,
  }))
  const entries = results.flatMap(({ lead_id: id, previous: before, current: after }, index) =>
    isDeepStrictEqual(before, after) ? [] : [{ id, label: leads[index]!.name, before, after }],
  )
  await recordAuditEntries(tx, 'lead.rescored', entries)
  return results
}

const scoresOf = ({ fit_score, engagement_score, score, grade }: LeadRow): Scores => ({
  fit_score,
  engagement_score,
  score,
  grade: grade as Scores['grade'],
})

/** Adds points (-100 to 100) of another module to a lead's score under a key such as `survey:{id}`; null removes them. */
export async function setScoreComponent(
  tx: TenantTx,
  leadId: string,
  key: string,
  label: string,
  points: number | null,
  now: Date,
): Promise<LeadRow> {
  await lockLead(tx, leadId)
  if (points === null) await deleteScoreComponentRow(tx, leadId, key)
  else await upsertScoreComponent(tx, leadId, { key, label, points }, now)
  return await rescoreLead(tx, leadId, { cause: 'component', now })
}
