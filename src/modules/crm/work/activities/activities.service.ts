import { assertAssignable, findUserNames, toUserReference } from '#modules/identity'
import type { Actor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { Page, TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import {
  type ActivityRow,
  findActivityId,
  insertActivity,
  listActivityRows,
  type ParentKind,
} from './activities.queries.ts'
import type { Activity, ActivityQuery, NewActivity } from './activities.schemas.ts'
import {
  type ActivityType,
  assertMetaFits,
  assertOutcome,
  defaultDirection,
  isEngagement,
  isSignal,
  parsePastInstant,
} from './activity.rules.ts'
import { emitActivityLogged, getActivityParent, touchParent } from './activity-parents.service.ts'
import { applyActivityToLead } from './lead-effects.service.ts'

export type TimelineRef = { kind: ParentKind; id: string }

export async function listActivities(
  tx: TenantTx,
  { kind, id }: TimelineRef,
  query: ActivityQuery,
): Promise<Page<Activity>> {
  await getActivityParent(tx, kind, id)
  const { items, ...page } = await listActivityRows(tx, kind, id, query)
  return { ...page, items: await presentActivities(tx, items) }
}

export const toActivityDetails = async (tx: TenantTx, row: ActivityRow): Promise<Activity> =>
  (await presentActivities(tx, [row]))[0]!

export async function presentActivities(tx: TenantTx, rows: readonly ActivityRow[]): Promise<Activity[]> {
  const ids = rows.flatMap(({ actor_user_id, assignee_id }) => [actor_user_id ?? [], assignee_id ?? []].flat())
  const names = await findUserNames(tx, ids)
  return rows.map((row) => ({
    ...(row as Omit<Activity, 'actor' | 'assignee'>),
    actor: toUserReference(names, row.actor_user_id),
    assignee: toUserReference(names, row.assignee_id),
  }))
}

/** Internal callers may also use system types and set the source. */
export type ActivityInput = Omit<NewActivity, 'type'> & {
  type: ActivityType
  source?: 'cadence' | 'campaign' | 'import' | 'system'
  campaign_id?: string
}

export async function createActivity(
  tx: TenantTx,
  actor: Actor,
  { kind, id }: TimelineRef,
  input: ActivityInput,
  { clock }: Pick<Services, 'clock'>,
): Promise<Activity> {
  const now = clock.now()
  const row = toActivityRow(actor, input, now)
  await assertAssignable(tx, input.assignee_id, '/assignee_id')

  const time = { at: row.occurred_at, isEngagement: isEngagement(row) }
  const { record: parent, parentIds, lead } = await touchParent(tx, kind, id, time)
  const activity = await insertActivity(tx, { id: newId(), ...parentIds, ...row })
  if (!activity) throw await externalIdConflict(tx, row.source, row.external_id!)

  await recordAudit(tx, 'activity.created', {
    id: activity.id,
    label: activity.subject ?? activity.type,
    after: activity,
  })
  await emitActivityLogged(tx, kind, parent, activity)
  if (lead) await applyActivityToLead(tx, lead, activity, now)
  return await toActivityDetails(tx, activity)
}

function toActivityRow(actor: Actor, input: ActivityInput, now: Date) {
  const { type, automated, meta = {}, occurred_at, due_at, ...fields } = input
  const direction = fields.direction ?? defaultDirection(type)
  assertOutcome(type, fields.outcome)
  assertMetaFits(meta)
  return {
    ...fields,
    type,
    direction,
    outcome: fields.outcome ?? null,
    occurred_at: occurred_at === undefined ? now : parsePastInstant(occurred_at, '/occurred_at', now),
    due_at: due_at ? new Date(due_at) : null,
    actor_type: actorTypeOf(actor, type, automated),
    actor_user_id: actor.userId,
    source: fields.source ?? (actor.type === 'api_key' ? 'api' : 'manual'),
    meta: JSON.stringify(meta),
    created_at: now,
    updated_at: now,
  }
}

/** Signals are actions of the person, even if an integration reports them. */
function actorTypeOf({ userId, type: actorType }: Actor, type: ActivityType, automated: boolean | undefined) {
  if (automated) return 'automation'
  if (isSignal(type) || actorType === 'public') return 'person'
  return userId === null ? 'automation' : 'user'
}

async function externalIdConflict(tx: TenantTx, source: string, externalId: string) {
  const existing_id = await findActivityId(tx, source, externalId)
  return conflict('already_exists', 'An activity with this `external_id` already exists.', { existing_id })
}
