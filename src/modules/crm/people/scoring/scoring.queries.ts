import { sql } from 'kysely'
import {
  acquireAdvisoryLock,
  listTenantsAsRetention,
  listTenantsWithRows,
  type SystemTx,
  type TenantTx,
} from '#platform/db'
import { newId } from '#platform/ids'
import type { LeadRow } from '../lead-records/leads.queries.ts'
import { defaultScoringConfig } from './default-scoring-config.ts'
import type { ScoreComponent } from './score.rules.ts'
import type { ScoringConfig, VersionedScoringConfig } from './scoring.schemas.ts'
import { type Signal, signalSourcesOf } from './signals.rules.ts'

const maxCountedSignals = 50

type SignalRow = { lead_id: string; signal: Signal; occurred_at: Date }

export async function listRecentSignals(
  tx: TenantTx,
  leadIds: readonly string[],
  signals: readonly Signal[],
  since: Date,
): Promise<Map<string, Map<Signal, Date[]>>> {
  const sources = signals.flatMap((signal) => signalSourcesOf(signal).map((source) => ({ signal, ...source })))
  const { rows } = await sql<SignalRow>`
    select lead.id as lead_id, source.signal, recent.occurred_at
    from unnest(${leadIds}::uuid[]) as lead (id)
    cross join unnest(${sources.map(({ signal }) => signal)}::text[], ${sources.map(({ type }) => type)}::text[],
      ${sources.map(({ outcome = null }) => outcome)}::text[], ${sources.map(({ direction = null }) => direction)}::text[]
    ) as source (signal, type, outcome, direction)
    cross join lateral (
      select activity.occurred_at from crm.activities activity
      where activity.lead_id = lead.id and activity.type = source.type and activity.occurred_at > ${since}
        and (source.outcome is null or activity.outcome = source.outcome)
        and (source.direction is null or activity.direction = source.direction)
      order by activity.occurred_at desc limit ${sql.lit(maxCountedSignals)}
    ) as recent
    order by recent.occurred_at desc
  `.execute(tx)
  const byLead = Map.groupBy(rows, ({ lead_id }) => lead_id)
  return new Map([...byLead].map(([id, signalRows]) => [id, timesBySignal(signalRows)]))
}

function timesBySignal(rows: readonly SignalRow[]): Map<Signal, Date[]> {
  const bySignal = Map.groupBy(rows, ({ signal }) => signal)
  return new Map([...bySignal].map(([signal, times]) => [signal, times.map(({ occurred_at }) => occurred_at)]))
}

export async function listScoreComponents(
  tx: TenantTx,
  leadIds: readonly string[],
): Promise<Map<string, ScoreComponent[]>> {
  const rows = await tx
    .selectFrom('crm.lead_score_components')
    .select(['lead_id', 'key', 'label', 'points'])
    .where('lead_id', '=', sql<string>`any(${leadIds}::uuid[])`)
    .orderBy('key')
    .execute()
  return Map.groupBy(rows, ({ lead_id }) => lead_id)
}

export async function upsertScoreComponent(
  tx: TenantTx,
  leadId: string,
  component: ScoreComponent,
  now: Date,
): Promise<void> {
  const { key, label, points } = component
  await tx
    .insertInto('crm.lead_score_components')
    .values({ lead_id: leadId, key, label, points, set_at: now })
    .onConflict((conflict) =>
      conflict.constraint('lead_score_components_pkey').doUpdateSet({ label, points, set_at: now }),
    )
    .execute()
}

export async function deleteScoreComponentRow(tx: TenantTx, leadId: string, key: string): Promise<void> {
  await tx.deleteFrom('crm.lead_score_components').where('lead_id', '=', leadId).where('key', '=', key).execute()
}

type ScoreColumns = Pick<
  LeadRow,
  'id' | 'fit_score' | 'engagement_score' | 'score' | 'grade' | 'score_reasons' | 'score_version' | 'scored_at'
>

/** Keeps versions and `updated_at`: a new score is not an edit. */
export async function updateScoreRows(tx: TenantTx, scores: readonly ScoreColumns[]): Promise<void> {
  const column = <K extends keyof ScoreColumns>(name: K) => scores.map((score) => score[name])
  const reasons = scores.map(({ score_reasons }) => JSON.stringify(score_reasons))
  await sql`
    update crm.leads lead
    set fit_score = scored.fit, engagement_score = scored.engagement, score = scored.score, grade = scored.grade,
      score_reasons = scored.reasons, score_version = scored.version, scored_at = scored.at
    from unnest(${column('id')}::uuid[], ${column('fit_score')}::smallint[], ${column('engagement_score')}::smallint[],
      ${column('score')}::smallint[], ${column('grade')}::text[], ${reasons}::jsonb[],
      ${column('score_version')}::integer[], ${column('scored_at')}::timestamptz[]
    ) as scored (id, fit, engagement, score, grade, reasons, version, at)
    where lead.id = scored.id
  `.execute(tx)
}

const minHistoryPoints = 5

/** Adds entries for scores that moved at least five points since the last entry or changed grade. */
export async function insertScoreHistory(tx: TenantTx, scores: readonly ScoreColumns[], cause: string): Promise<void> {
  const column = <K extends keyof ScoreColumns>(name: K) => scores.map((score) => score[name])
  await sql`
    insert into crm.lead_score_history (id, lead_id, at, fit, engagement, score, grade, cause)
    select scored.entry_id, scored.id, scored.at, scored.fit, scored.engagement, scored.score, scored.grade, ${cause}
    from unnest(${scores.map(newId)}::uuid[], ${column('id')}::uuid[], ${column('scored_at')}::timestamptz[],
      ${column('fit_score')}::smallint[], ${column('engagement_score')}::smallint[], ${column('score')}::smallint[],
      ${column('grade')}::text[]
    ) as scored (entry_id, id, at, fit, engagement, score, grade)
    left join lateral (
      select entry.score, entry.grade from crm.lead_score_history entry
      where entry.lead_id = scored.id order by entry.id desc limit 1
    ) as last on true
    where coalesce(last.grade, 'C') <> scored.grade
      or abs(scored.score - coalesce(last.score, 0::smallint)) >= ${sql.lit(minHistoryPoints)}
  `.execute(tx)
}

export async function listLeadIdsAfter(tx: TenantTx, after: string, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('crm.leads')
    .select('id')
    .where('id', '>', after)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(sql.lit(limit))
    .execute()
  return rows.map(({ id }) => id)
}

export const listTenantsWithEngagedLeads = (system: SystemTx): Promise<string[]> =>
  listTenantsAsRetention(system, (tx) =>
    listTenantsWithRows(tx, 'crm.leads', sql`deleted_at is null and engagement_score > 0`),
  )

export async function listDecayingLeadIdsAfter(
  tx: TenantTx,
  after: string,
  scoredBefore: Date,
  limit: number,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('crm.leads')
    .select('id')
    .where('id', '>', after)
    .where('deleted_at', 'is', null)
    .where('engagement_score', '>', sql.lit(0))
    .where('scored_at', '<', scoredBefore)
    .orderBy('id')
    .limit(sql.lit(limit))
    .execute()
  return rows.map(({ id }) => id)
}

export async function countLeads(tx: TenantTx): Promise<number> {
  const { leads } = await tx
    .selectFrom('crm.leads')
    .select(({ fn }) => fn.countAll<number>().as('leads'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return leads
}

export async function getScoringConfig(tx: TenantTx): Promise<VersionedScoringConfig> {
  const newest = await tx
    .selectFrom('crm.lead_scoring_configs')
    .select(['version', 'config', 'created_at', 'created_by'])
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest) return { ...defaultScoringConfig, version: 0, updated_at: null, updated_by: null }
  const { version, config, created_at, created_by } = newest
  return { ...(config as ScoringConfig), version, updated_at: created_at, updated_by: created_by }
}

type NewConfigVersion = { version: number; config: ScoringConfig; created_by: string | null; created_at: Date }

export async function insertScoringConfig(tx: TenantTx, { config, ...columns }: NewConfigVersion): Promise<void> {
  const row = { ...columns, config: JSON.stringify(config) }
  await tx.insertInto('crm.lead_scoring_configs').values(row).execute()
}

/** Serializes config changes, and waits for transactions that score leads which are not visible yet. */
export async function lockScoringConfig(tx: TenantTx): Promise<void> {
  await acquireAdvisoryLock(tx, 'scoring_rules')
}

/** Makes config changes wait for this transaction, which creates or restores leads. Take it before any other CRM lock. */
export async function lockScoringConfigShared(tx: TenantTx): Promise<void> {
  await acquireAdvisoryLock(tx, 'scoring_rules', { isShared: true })
}
