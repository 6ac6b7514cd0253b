import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion } from '#platform/errors'
import { emit } from '#platform/outbox'
import { coachingSessionCancelled, coachingSessionCompleted, coachingSessionUpdated } from '../coaching.events.ts'
import { recordPracticeAudit } from '../practice-audit/record-practice-audit.ts'
import { judgeScore } from './evidence.rules.ts'
import { presentSession } from './present-session.service.ts'
import { correctScore, scoreByCoach } from './scorecard.rules.ts'
import { lockVisibleSession } from './session-access.service.ts'
import { notifySessionCancelled, notifySessionCompleted } from './session-notifications.ts'
import type { SessionRow } from './session-row.ts'
import { updateSessionRow } from './sessions.queries.ts'
import {
  assertAllowedFields,
  assertChangeableFields,
  assertComplete,
  assertSessionTransition,
  mergeActionItems,
  mergeScores,
  toAuditedChange,
} from './sessions.rules.ts'
import type { Session, SessionChanges } from './sessions.schemas.ts'

type UpdateInput = { changes: SessionChanges; expectedVersion?: number; now: Date }

export async function updateSession(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { changes, expectedVersion, now }: UpdateInput,
): Promise<Session> {
  const session = await lockVisibleSession(tx, actor, id)
  assertVersion(session, expectedVersion)
  const isSeller = session.rep_id === actor.userId
  assertAllowedFields(changes, { isSeller })
  const { status } = changes
  if (status && status !== session.status) assertSessionTransition(session, status)
  assertChangeableFields(session, changes)

  const fields = changedFields(session, {
    ...toFields(session, changes, { isSeller, now }),
    ...(status && status !== session.status && toStatusFields(session, changes, { ...changes, status, now })),
  })
  if (!Object.keys(fields).length) return await presentSession(tx, actor, session)
  const updated = await updateSessionRow(tx, id, toColumns(fields))
  await recordPracticeAudit(tx, 'coaching_session.updated', { id, ...toAuditedChange(session, updated) })
  if (!updated.is_private) await emit(tx, coachingSessionUpdated, updated, { changed: Object.keys(fields) })
  await recordEnd(tx, updated, fields)
  return await presentSession(tx, actor, updated)
}

type Context = { isSeller: boolean; now: Date }

function toFields(session: SessionRow, changes: SessionChanges, { isSeller, now }: Context): Partial<SessionRow> {
  const { scheduled_at, duration_minutes, agenda, feedback, rep_reflection, action_items, acknowledged } = changes
  const items = action_items && mergeActionItems(session.action_items, action_items, { isSeller })
  return {
    ...(scheduled_at !== undefined && { scheduled_at: scheduled_at === null ? null : new Date(scheduled_at) }),
    ...(duration_minutes !== undefined && { duration_minutes }),
    ...(agenda !== undefined && { agenda }),
    ...(feedback !== undefined && { feedback }),
    ...(rep_reflection !== undefined && { rep_reflection }),
    ...(items && { action_items: items }),
    ...(acknowledged && !session.acknowledged_at && { acknowledged_at: now }),
    ...toScoreFields(session, changes),
  }
}

/** A correction changes the final score; the scorecard keeps the score from before. */
function toScoreFields(session: SessionRow, { scores, coach_scores }: SessionChanges): Partial<SessionRow> {
  const { scenario_snapshot: snapshot, scorecard } = session
  const given = coach_scores ?? scores
  if (!given) return {}
  const merged = mergeScores(snapshot, session.coach_scores, given, coach_scores ? 'coach_scores' : 'scores')
  if (!coach_scores) return { coach_scores: merged }
  const score = correctScore(snapshot, scorecard, merged)
  return { coach_scores: merged, score, passed: judgeScore(score, session) }
}

type StatusInput = Pick<SessionChanges, 'skip_scoring'> & { status: NonNullable<SessionChanges['status']>; now: Date }

function toStatusFields(
  session: SessionRow,
  changes: SessionChanges,
  { status, skip_scoring, now }: StatusInput,
): Partial<SessionRow> {
  if (status === 'in_progress') return { status, started_at: now }
  if (status !== 'completed') return { status, finished_at: now }
  const { coach_scores } = { ...session, ...toScoreFields(session, changes) }
  const scores = coach_scores ?? []
  if (!skip_scoring) assertComplete(session.scenario_snapshot, scores)
  const scorecard = skip_scoring ? null : scoreByCoach(session.scenario_snapshot, scores)
  const score = scorecard?.score ?? null
  const passed = judgeScore(score, session)
  return { status, finished_at: now, scorecard, score, passed }
}

const jsonColumns: readonly string[] = ['action_items', 'coach_scores', 'scorecard']

const toColumns = (fields: Partial<SessionRow>): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      jsonColumns.includes(name) && value !== null ? JSON.stringify(value) : value,
    ]),
  )

async function recordEnd(tx: TenantTx, session: SessionRow, { status }: Partial<SessionRow>): Promise<void> {
  const { rep_id, coach_id, score } = session
  if (status === 'completed') {
    await emit(tx, coachingSessionCompleted, session, { rep_id, coach_id, score })
    await notifySessionCompleted(tx, session)
  }
  if (status === 'cancelled') await notifySessionCancelled(tx, session)
  if (status === 'cancelled' || status === 'no_show')
    await emit(tx, coachingSessionCancelled, session, { rep_id, coach_id, reason: status })
}
