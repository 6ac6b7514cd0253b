import { conflict, invalid, invalidTransition, listAlternatives, roleRequired } from '#platform/errors'
import { newId } from '#platform/ids'
import type { ScenarioRow } from '../scenarios/scenario-row.ts'
import type { ScenarioSnapshot, SessionRow } from './session-row.ts'
import type {
  ActionItem,
  ActionItemInput,
  CoachScore,
  HumanStatus,
  SessionChanges,
  SessionStatus,
} from './sessions.schemas.ts'

export const takeSnapshot = (scenario: ScenarioRow): ScenarioSnapshot => ({
  title: scenario.title,
  type: scenario.type,
  difficulty: scenario.difficulty,
  brief: scenario.brief,
  buyer_context: scenario.buyer_context,
  max_turns: scenario.max_turns,
  time_limit_seconds: scenario.time_limit_seconds,
  passing_score: scenario.passing_score,
  rubric: scenario.rubric,
  rubric_version: scenario.rubric_version,
})

const auditedFields = ['status', 'coach_id', 'scheduled_at', 'duration_minutes', 'score', 'passed'] as const

const pickAudited = (session: SessionRow) => Object.fromEntries(auditedFields.map((field) => [field, session[field]]))

/** Without texts, because the audit log outlives the session. */
export const toAuditedChange = (before: SessionRow | null, after: SessionRow) => ({
  isPrivate: after.is_private,
  label: after.scenario_snapshot.title,
  ...(before && { before: pickAudited(before) }),
  after: pickAudited(after),
})

const transitions: Partial<Record<SessionStatus, readonly HumanStatus[]>> = {
  scheduled: ['in_progress', 'cancelled', 'no_show'],
  in_progress: ['completed', 'cancelled'],
}

export function assertSessionTransition({ status }: SessionRow, to: HumanStatus): void {
  const allowed = transitions[status] ?? []
  if (allowed.includes(to)) return
  const message = `The status of the session cannot change from ${status} to ${to}.`
  throw invalidTransition(message, { from: status, to, allowed })
}

const finalStatuses: readonly SessionStatus[] = ['completed', 'cancelled', 'no_show', 'finished', 'abandoned']
const scoredStatuses: readonly SessionStatus[] = ['completed', 'finished']
const changeableWhenFinal: readonly (keyof SessionChanges)[] = [
  'status',
  'skip_scoring',
  'action_items',
  'rep_reflection',
  'acknowledged',
  'coach_scores',
]

export const isFinal = ({ status }: Pick<SessionRow, 'status'>): boolean => finalStatuses.includes(status)

const fieldsOfCoach: readonly (keyof SessionChanges)[] = [
  'skip_scoring',
  'scheduled_at',
  'duration_minutes',
  'agenda',
  'scores',
  'coach_scores',
  'feedback',
]
const fieldsOfSeller: readonly (keyof SessionChanges)[] = ['rep_reflection', 'acknowledged']

export function assertAllowedFields(changes: SessionChanges, { isSeller }: { isSeller: boolean }): void {
  const foreign = (Object.keys(changes) as (keyof SessionChanges)[]).find((field) =>
    (isSeller ? fieldsOfCoach : fieldsOfSeller).includes(field),
  )
  if (foreign) throw roleRequired(`Only the ${isSeller ? 'coach' : 'seller'} can set \`${foreign}\`.`)
  if (isSeller && changes.status && changes.status !== 'cancelled')
    throw roleRequired('The seller can only set `status` to `cancelled`.')
}

export function assertChangeableFields(session: SessionRow, changes: SessionChanges): void {
  if (session.kind === 'roleplay')
    for (const field of ['scores', 'scheduled_at', 'duration_minutes', 'agenda'] as const)
      if (changes[field] !== undefined)
        throw invalid('body', `/${field}`, 'not_allowed', `\`${field}\` must not be set for a roleplay.`)
  const fixed = (Object.keys(changes) as (keyof SessionChanges)[]).find((field) => !changeableWhenFinal.includes(field))
  if (isFinal(session) && fixed)
    throw conflict('session_closed', `The session has ended. Only ${listAlternatives(changeableWhenFinal)} can change.`)
  if (changes.coach_scores && !scoredStatuses.includes(session.status))
    throw conflict('conflict', '`coach_scores` can be set after the session was completed or finished.')
}

/** Replaces the scores of the given criteria and keeps the others. */
export function mergeScores(
  { rubric }: ScenarioSnapshot,
  current: readonly CoachScore[] | null,
  given: NonNullable<SessionChanges['scores']>,
  field: 'scores' | 'coach_scores',
): CoachScore[] {
  const unknown = given.findIndex(({ key }) => !rubric.some((criterion) => criterion.key === key))
  if (unknown >= 0)
    throw invalid('body', `/${field}/${unknown}/key`, 'unknown_key', '`key` must be the key of a criterion.')
  const repeated = given.findIndex(({ key }, index) => given.findIndex((score) => score.key === key) < index)
  if (repeated >= 0)
    throw invalid('body', `/${field}/${repeated}/key`, 'duplicate_key', 'Each criterion can be scored only once.')
  const kept = (current ?? []).filter(({ key }) => !given.some((score) => score.key === key))
  return [...kept, ...given.map(({ key, score, comment = null }) => ({ key, score, comment }))]
}

export function assertComplete({ rubric }: ScenarioSnapshot, scores: readonly CoachScore[]): void {
  const missing = rubric.filter(({ key }) => !scores.some((score) => score.key === key)).map(({ key }) => key)
  if (missing.length)
    throw conflict('scores_missing', 'Every criterion must have a score, or `skip_scoring` must be true.', { missing })
}

export function mergeActionItems(
  current: readonly ActionItem[],
  given: readonly ActionItemInput[],
  { isSeller }: { isSeller: boolean },
): ActionItem[] {
  const merged = given.map((item, index): ActionItem => {
    const known = current.find(({ id }) => id === item.id)
    const path = `/action_items/${index}`
    if (item.id && !known)
      throw invalid('body', `${path}/id`, 'unknown_id', '`id` must be the id of an action item of the session.')
    const text = item.text ?? known?.text
    if (text === undefined) throw invalid('body', `${path}/text`, 'required', '`text` is required for a new item.')
    return {
      id: known?.id ?? newId(),
      text,
      due_on: item.due_on === undefined ? (known?.due_on ?? null) : item.due_on,
      done: item.done ?? known?.done ?? false,
    }
  })
  const ids = new Set(merged.map(({ id }) => id))
  if (ids.size < merged.length)
    throw invalid('body', '/action_items', 'duplicate_key', 'Each action item can be listed only once.')
  if (!isSeller) return merged
  const isChanged = merged.some(({ id, text, due_on }) => {
    const known = current.find((item) => item.id === id)
    return known?.text !== text || known.due_on !== due_on
  })
  if (isChanged) throw roleRequired('The seller can only set `done` of existing action items.')
  return current.map((item) => merged.find(({ id }) => id === item.id) ?? item)
}
