import { isDeepStrictEqual } from 'node:util'
import { readSettings } from '#modules/identity'
import { record } from '#platform/audit'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { emitEach } from '#platform/outbox'
import { noteSystemActivities } from '../activities/system-activities.queries.ts'
import { leadGradeChanged } from '../crm.events.ts'
import { type LeadRow, lockLead } from '../leads/leads.queries.ts'
import type { ScoreReason } from '../leads/leads.schemas.ts'
import { setStage } from '../leads/stage.service.ts'
import { stageRank } from '../persons/life-cycle.rules.ts'
import { type Score, scoreOf } from './score.rules.ts'
import { componentsOf, newestSignals, noteSteps, storeScores } from './scoring.queries.ts'
import type { NumberedConfig, RecomputedScore, Scores, ScoringConfig } from './scoring.schemas.ts'
import { holdScoringRules, readScoringConfig } from './scoring-config.queries.ts'
import { parseConfig } from './scoring-config.rules.ts'

export { readScoringConfig } from './scoring-config.queries.ts'
export { isScoringField } from './scoring-config.rules.ts'

/** `cause` is kept with the step: `created`, `changed`, `activity`, `asked`, `component`, `config`, `decay`, `restored`. */
export type Rescoring = { cause: string; now: Date }

/** Scores one lead by the newest rules. The lead as it is after that. */
export async function rescoreLead(tx: TenantTx, leadId: string, { cause, now }: Rescoring): Promise<LeadRow> {
  const lead = await lockLead(tx, leadId)
  // Whoever goes through all leads with new rules cannot see this one before the transaction ends, so they wait for it.
  if (lead.scored_at === null || cause === 'restored') await holdScoringRules(tx)
  const [rescored] = await rescoreLeads(tx, [lead], { cause, now })
  return rescored!
}

/**
 * Scores leads that the transaction has locked, by the newest rules: it is the lock that makes them the newest, and what
 * happened to the leads complete. Only what has changed is written.
 */
export async function rescoreLeads(tx: TenantTx, leads: readonly LeadRow[], why: Rescoring): Promise<LeadRow[]> {
  if (!leads.length) return []
  const config = await readScoringConfig(tx)
  const scores = await scoresOf(tx, leads, config, why.now)
  const after = leads.map((lead, index) => withScore(lead, scores[index]!, config.version, why.now))
  const written = after.filter((lead, index) => lead !== leads[index])
  if (written.length) {
    await storeScores(tx, written)
    await noteSteps(tx, written, why.cause)
  }
  await announceGrades(tx, leads, after, why.now)
  const lifted: LeadRow[] = []
  for (const [index, lead] of after.entries())
    lifted.push(
      isLifted(leads[index]!, lead, config) ? await setStage(tx, lead, 'mql', { cause: 'score', now: why.now }) : lead,
    )
  return lifted
}

async function scoresOf(tx: TenantTx, leads: readonly LeadRow[], config: NumberedConfig, now: Date): Promise<Score[]> {
  const { currency, timezone } = await readSettings(tx, 'general')
  const ids = leads.map(({ id }) => id)
  const { rules, window_days } = config.engagement
  const signals = [...new Set(rules.map(({ signal }) => signal))]
  const seen = await newestSignals(tx, ids, signals, daysLater(now, -window_days))
  const components = await componentsOf(tx, ids)
  const parsed = parseConfig(config, currency)
  return leads.map((lead) => {
    const evidence = { lead, signals: seen.get(lead.id) ?? new Map(), components: components.get(lead.id) ?? [] }
    return scoreOf(parsed, evidence, { now, timezone, me: null })
  })
}

/** The same row when nothing is new. */
function withScore(lead: LeadRow, score: Score, version: number, now: Date): LeadRow {
  const { fit_score, engagement_score, grade, score_reasons } = lead
  const former = { fit_score, engagement_score, score: lead.score, grade, score_reasons }
  const isKnown = lead.scored_at !== null && lead.score_version === version && isDeepStrictEqual(former, score)
  return isKnown ? lead : { ...lead, ...score, score_version: version, scored_at: now }
}

/** A first grade is no other grade. Together, because whoever waits for one of the leads waits for all of it. */
async function announceGrades(tx: TenantTx, before: readonly LeadRow[], after: readonly LeadRow[], at: Date) {
  const steps = after.flatMap((lead, index) => {
    const { scored_at, grade: from } = before[index]!
    const { grade: to, score } = lead
    return scored_at === null || from === to ? [] : [{ lead, data: { from, to, score } }]
  })
  await noteSystemActivities(
    tx,
    steps.map(({ lead, data: meta }) => ({
      parent: { lead_id: lead.id },
      activity: { type: 'grade_changed', meta, at },
    })),
  )
  await emitEach(
    tx,
    leadGradeChanged,
    steps.map(({ lead: subject, data }) => ({ subject, data })),
  )
}

/** Whom somebody sent back is lifted again when the score reaches the mark anew, and not by the score they had. */
function isLifted(before: LeadRow, after: LeadRow, { auto_mql: { enabled, min_score } }: ScoringConfig): boolean {
  if (!enabled || after.score < min_score || stageRank(after.lifecycle_stage) >= stageRank('mql')) return false
  return after.mql_at === null || before.score < min_score
}

/** On demand: what the score was, what it is, and why. */
export async function recomputeScore(tx: TenantTx, leadId: string, now: Date): Promise<RecomputedScore> {
  const before = await lockLead(tx, leadId)
  const after = await rescoreLead(tx, leadId, { cause: 'asked', now })
  const [previous, current] = [scoresIn(before), scoresIn(after)]
  if (!isDeepStrictEqual(previous, current))
    await record(tx, 'lead.rescored', { id: leadId, label: after.name, before: previous, after: current })
  return {
    ...{ lead_id: leadId, previous, current },
    reasons: after.score_reasons as ScoreReason[],
    config_version: after.score_version,
  }
}

const scoresIn = ({ fit_score, engagement_score, score, grade }: LeadRow): Scores => ({
  ...{ fit_score, engagement_score, score },
  grade: grade as Scores['grade'],
})
