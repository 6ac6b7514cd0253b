import { canCoach, canUserCoach, findUserCards } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict, invalid, notFound, roleRequired, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { coachingSessionScheduled } from '../coaching.events.ts'
import { recordPracticeAudit } from '../practice-audit/record-practice-audit.ts'
import type { ScenarioRow } from '../scenarios/scenario-row.ts'
import { lockScenarioShared } from '../scenarios/scenarios.queries.ts'
import { canSeeScenario } from '../scenarios/scenarios.rules.ts'
import { presentSession } from './present-session.service.ts'
import { notifySessionScheduled } from './session-notifications.ts'
import { insertSession } from './sessions.queries.ts'
import { takeSnapshot, toAuditedChange } from './sessions.rules.ts'
import type { NewSession, Session } from './sessions.schemas.ts'

const defaultMinutes = 30

export async function createSession(
  tx: TenantTx,
  actor: UserActor,
  scenarioId: string,
  { rep_id, coach_id, scheduled_at, duration_minutes = defaultMinutes, agenda = null }: NewSession,
): Promise<Session> {
  const scenario = await lockStartableScenario(tx, actor, scenarioId)
  await assertLearner(tx, rep_id)
  const isSeller = rep_id === actor.userId
  if (!isSeller && !(await canCoach(tx, actor, rep_id)))
    throw roleRequired('Only managers, admins and leads of a team of the seller can schedule a session.')
  if (isSeller && !coach_id) throw invalid('body', '/coach_id', 'required', '`coach_id` is required for own sessions.')
  const coachId = coach_id ?? actor.userId
  if (coach_id && !(await canUserCoach(tx, coach_id, rep_id)))
    throw unknownReference('/coach_id', 'coach of the seller')

  const session = await insertSession(tx, {
    id: newId(),
    kind: 'human',
    status: 'scheduled',
    scenario_id: scenario.id,
    rep_id,
    coach_id: coachId,
    scheduled_at: scheduled_at ? new Date(scheduled_at) : null,
    duration_minutes,
    agenda,
    scenario_snapshot: JSON.stringify(takeSnapshot(scenario)),
    created_by: actor.userId,
  })
  await recordPracticeAudit(tx, 'coaching_session.created', { id: session.id, ...toAuditedChange(null, session) })
  await emit(tx, coachingSessionScheduled, session, { rep_id, coach_id: coachId, scenario_id: scenario.id })
  await notifySessionScheduled(tx, session)
  return await presentSession(tx, actor, session)
}

export async function lockStartableScenario(tx: TenantTx, actor: UserActor, id: string): Promise<ScenarioRow> {
  const scenario = await lockScenarioShared(tx, id)
  if (!scenario || !canSeeScenario(scenario, actor)) throw notFound('scenario')
  assertPublished(scenario)
  return scenario
}

export function assertPublished({ status }: ScenarioRow): void {
  if (status !== 'published')
    throw conflict('not_published', 'The scenario must be published before a session can use it.')
}

/** Viewers cannot practice, because they have no right to write. */
async function assertLearner(tx: TenantTx, repId: string): Promise<void> {
  const card = (await findUserCards(tx, [repId])).get(repId)
  if (card?.status !== 'active') throw unknownReference('/rep_id', 'active user')
  if (card.role === 'viewer') throw invalid('body', '/rep_id', 'not_allowed', '`rep_id` must not be a viewer.')
}
