import { findUserNames, toUserReference } from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import { presentRubric } from '../scenarios/scenarios.rules.ts'
import { practiceReasonOf } from './evidence.rules.ts'
import { getVisibleSession, readSessionViewer } from './session-access.service.ts'
import type { SessionRow } from './session-row.ts'
import { listSessionRows } from './sessions.queries.ts'
import type { Session, SessionQuery, SessionSummary } from './sessions.schemas.ts'

export async function listSessions(tx: TenantTx, actor: UserActor, query: SessionQuery): Promise<Page<SessionSummary>> {
  const page = await listSessionRows(tx, await readSessionViewer(tx, actor), query)
  return { ...page, items: await summarizeSessions(tx, page.items) }
}

export async function getSession(tx: TenantTx, actor: UserActor, id: string): Promise<Session> {
  return await presentSession(tx, actor, await getVisibleSession(tx, actor, id))
}

export async function presentSession(tx: TenantTx, { role }: UserActor, session: SessionRow): Promise<Session> {
  const [summary] = await summarizeSessions(tx, [session])
  const { rubric, rubric_version, passing_score } = session.scenario_snapshot
  const { agenda, scorecard, coach_scores, feedback, rep_reflection, action_items } = session
  return {
    ...summary!,
    agenda,
    rubric: presentRubric(rubric, { isAuthor: isManagerOrAdmin(role) }),
    rubric_version,
    passing_score,
    scorecard,
    coach_scores,
    feedback,
    rep_reflection,
    action_items,
  }
}

async function summarizeSessions(tx: TenantTx, rows: readonly SessionRow[]): Promise<SessionSummary[]> {
  const names = await findUserNames(
    tx,
    rows.flatMap(({ rep_id, coach_id }) => [rep_id, ...(coach_id ? [coach_id] : [])]),
  )
  return rows.map(({ scenario_snapshot: { title, type, difficulty }, ...row }) => ({
    id: row.id,
    kind: row.kind,
    status: row.status,
    scenario_id: row.scenario_id,
    scenario: { title, type, difficulty },
    persona_id: row.persona_id,
    rep_id: row.rep_id,
    rep: toUserReference(names, row.rep_id)!,
    coach_id: row.coach_id,
    coach: toUserReference(names, row.coach_id),
    is_private: row.is_private,
    scheduled_at: row.scheduled_at,
    duration_minutes: row.duration_minutes,
    started_at: row.started_at,
    finished_at: row.finished_at,
    attempt_no: row.attempt_no,
    turns: row.turns,
    score: row.score,
    passed: row.passed,
    insufficient: row.insufficient,
    practice_reason: practiceReasonOf(row),
    auto_finished: row.auto_finished,
    open_action_items: row.action_items.filter(({ done }) => !done).length,
    acknowledged_at: row.acknowledged_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }))
}
