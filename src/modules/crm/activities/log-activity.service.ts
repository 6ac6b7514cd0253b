import { namesOfUsers } from '#modules/identity'
import type { Actor } from '#platform/access'
import { record } from '#platform/audit'
import type { Page, TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { assertAssignable } from '../leads/assignment.service.ts'
import {
  type ActivityRow,
  findActivityId,
  insertActivity,
  type ParentKind,
  walkTimeline,
} from './activities.queries.ts'
import type { Activity, ActivityQuery, NewActivity } from './activities.schemas.ts'
import {
  type ActivityType,
  assertMetaFits,
  assertOutcome,
  instantOf,
  isEngagement,
  isSignal,
  pastInstant,
  usualDirection,
} from './activity.rules.ts'
import { announceActivity, getParent, touchParent } from './activity-parents.service.ts'
import { followUp } from './lead-effects.service.ts'

/** What is logged by the product itself may also be of its own kinds, and says which part of it speaks. */
export type LoggedActivity = Omit<NewActivity, 'type'> & {
  type: ActivityType
  source?: 'cadence' | 'campaign' | 'import' | 'system'
  campaign_id?: string
}

export type TimelineOf = { kind: ParentKind; id: string }

/** Puts something that happened into the timeline of a record, with everything that follows from it. */
export async function logActivity(
  tx: TenantTx,
  actor: Actor,
  { kind, id }: TimelineOf,
  input: LoggedActivity,
  { clock }: Pick<Services, 'clock'>,
): Promise<Activity> {
  const now = clock.now()
  const draft = draftOf(actor, input, now)
  await assertAssignable(tx, input.assignee_id, '/assignee_id')

  const moment = { at: draft.occurred_at, isEngagement: isEngagement(draft) }
  const { record: parent, about, lead } = await touchParent(tx, kind, id, moment)
  const activity = await insertActivity(tx, { id: newId(), ...about, ...draft })
  if (!activity) throw await alreadyLogged(tx, draft.source, draft.external_id!)

  await record(tx, 'activity.created', { id: activity.id, label: activity.subject ?? activity.type, after: activity })
  await announceActivity(tx, kind, parent, activity)
  if (lead) await followUp(tx, lead, activity, now)
  return await showActivity(tx, activity)
}

export async function listActivities(
  tx: TenantTx,
  { kind, id }: TimelineOf,
  query: ActivityQuery,
): Promise<Page<Activity>> {
  await getParent(tx, kind, id)
  const { items, ...page } = await walkTimeline(tx, kind, id, query)
  return { ...page, items: await showActivities(tx, items) }
}

function draftOf(actor: Actor, input: LoggedActivity, now: Date) {
  const { type, automated, meta = {}, occurred_at, due_at, ...said } = input
  const direction = said.direction ?? usualDirection(type)
  assertOutcome(type, said.outcome)
  assertMetaFits(meta)
  return {
    ...said,
    type,
    direction,
    outcome: said.outcome ?? null,
    occurred_at: occurred_at === undefined ? now : pastInstant(occurred_at, '/occurred_at', now),
    due_at: due_at ? instantOf(due_at, '/due_at') : null,
    actor_type: actorTypeOf(actor, type, automated),
    actor_user_id: actor.userId,
    source: said.source ?? (actor.type === 'api_key' ? 'api' : 'manual'),
    meta: JSON.stringify(meta),
    created_at: now,
    updated_at: now,
  }
}

/** A click is the person's doing, whoever tells us of it. */
function actorTypeOf({ userId, type: actorType }: Actor, type: ActivityType, automated: boolean | undefined) {
  if (automated) return 'automation'
  if (isSignal(type) || actorType === 'public') return 'person'
  return userId === null ? 'automation' : 'user'
}

async function alreadyLogged(tx: TenantTx, source: string, externalId: string) {
  const existing_id = await findActivityId(tx, source, externalId)
  return conflict('already_exists', 'An activity with this external_id was logged already.', { existing_id })
}

export const showActivity = async (tx: TenantTx, row: ActivityRow): Promise<Activity> =>
  (await showActivities(tx, [row]))[0]!

/** Activities as people see them, with the names of who did them and who is to do them. */
async function showActivities(tx: TenantTx, rows: readonly ActivityRow[]): Promise<Activity[]> {
  const ids = rows.flatMap(({ actor_user_id, assignee_id }) => [actor_user_id ?? [], assignee_id ?? []].flat())
  const names = await namesOfUsers(tx, ids)
  const referTo = (id: string | null) => (id === null ? null : { id, name: names.get(id) ?? '' })
  return rows.map((row) => ({
    ...(row as Omit<Activity, 'actor' | 'assignee'>),
    actor: referTo(row.actor_user_id),
    assignee: referTo(row.assignee_id),
  }))
}
