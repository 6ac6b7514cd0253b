import { Type } from 'typebox'
import { findAccountNames, findContactReferences, getLead } from '#modules/crm'
import { recordAudit } from '#platform/audit'
import { addDays, dayInTimezone } from '#platform/calendar'
import { decodeCursor, type Page, type TenantTx } from '#platform/db'
import { AppError, assertVersion, invalid, unknownReference } from '#platform/errors'
import { emit } from '#platform/outbox'
import { actorUpdated } from '../plg.events.ts'
import { readUsage } from '../states/read-usage.service.ts'
import {
  type ActorLinks,
  type ActorRow,
  findFirstActiveOn,
  getActor,
  listActorRows,
  listQualificationsOf,
  lockActor,
  updateActorLinks,
} from './actors.queries.ts'
import type { ActorChanges, ActorListQuery, UsageActor, UsageActorDetails } from './actors.schemas.ts'
import { markEffectsDue } from './mark-effects.queries.ts'
import { presentActors } from './present-actors.service.ts'

const eventsPerPage = 50
const EventCursor = Type.Tuple([Type.Integer(), Type.Integer({ minimum: 0 })])

export async function listUsageActors(tx: TenantTx, query: ActorListQuery): Promise<Page<UsageActor>> {
  const { kind, search, linked, qualified } = query
  const page = await listActorRows(tx, { kind, search, linked, qualified }, query)
  return { ...page, items: await presentActors(tx, page.items) }
}

type ActorRead = { eventsCursor?: string; now: Date }

export async function getUsageActor(
  tx: TenantTx,
  id: string,
  { eventsCursor, now }: ActorRead,
): Promise<UsageActorDetails> {
  const [row, { store, generation, timezone }] = await Promise.all([getActor(tx, id), readUsage(tx)])
  const today = dayInTimezone(now, timezone)
  const kind = row.is_account ? 'account' : 'person'
  const [[presented], firstActiveOn, qualifications, events, [measure]] = await Promise.all([
    presentActors(tx, [row]),
    findFirstActiveOn(tx, id, generation),
    listQualificationsOf(tx, id),
    store.listTimeline({ actor_id: id, kind, limit: eventsPerPage + 1, before: readEventCursor(eventsCursor) }),
    store.measureActors({ kind, actor_ids: [id], name: null, range: { from: addDays(today, -29), to: today } }),
  ])
  const shown = events.slice(0, eventsPerPage)
  const last = events.length > eventsPerPage ? shown.at(-1) : undefined
  return {
    ...presented!,
    first_active_on: firstActiveOn,
    active_days_in_30: measure!.days,
    qualifications,
    events: shown.map(({ seq: _, ...event }) => ({ ...event, properties: event.properties as never })),
    next_events_cursor: last
      ? Buffer.from(JSON.stringify([last.occurred_at.getTime(), last.seq])).toString('base64url')
      : null,
  }
}

function readEventCursor(cursor: string | undefined) {
  if (cursor === undefined) return undefined
  const [time, seq] = decodeCursor(cursor, EventCursor) as [number, number]
  return { occurred_at: new Date(time), seq }
}

type ActorUpdateInput = { changes: ActorChanges; expectedVersion?: number }

/** Changes the links of an actor. Changed links are locked, so that the next run of the linking keeps them. */
export async function updateUsageActor(
  tx: TenantTx,
  id: string,
  { changes, expectedVersion }: ActorUpdateInput,
): Promise<UsageActor> {
  await assertReferences(tx, changes)
  const before = await lockActor(tx, id)
  assertVersion(before, expectedVersion)
  const links = planLinks(before, changes)
  const changed = (['contact_id', 'lead_id', 'account_id', 'link_locked', 'link_method'] as const).filter(
    (field) => before[field] !== links[field],
  )
  if (!changed.length) return (await presentActors(tx, [before]))[0]!
  const after = await updateActorLinks(tx, id, links)
  await markEffectsDue(tx, [id])
  await recordAudit(tx, 'plg.actor_updated', { id, label: before.ref, before: pick(before), after: pick(after) })
  const { contact_id, lead_id, account_id } = after
  await emit(tx, actorUpdated, after, { changed, contact_id, lead_id, account_id })
  return (await presentActors(tx, [after]))[0]!
}

const pick = ({ contact_id, lead_id, account_id, link_locked }: ActorRow) => ({
  contact_id,
  lead_id,
  account_id,
  link_locked,
})

async function assertReferences(tx: TenantTx, { contact_id, lead_id, account_id }: ActorChanges): Promise<void> {
  if (contact_id && lead_id)
    throw invalid('body', '/lead_id', 'unexpected', '`lead_id` must not be set with `contact_id`.')
  if (contact_id && !(await findContactReferences(tx, [contact_id])).has(contact_id))
    throw unknownReference('/contact_id', 'contact')
  if (lead_id && !(await leadExists(tx, lead_id))) throw unknownReference('/lead_id', 'lead')
  if (account_id && !(await findAccountNames(tx, [account_id])).has(account_id))
    throw unknownReference('/account_id', 'account')
}

async function leadExists(tx: TenantTx, id: string): Promise<boolean> {
  try {
    await getLead(tx, id)
    return true
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return false
    throw error
  }
}

function planLinks(before: ActorRow, changes: ActorChanges): ActorLinks {
  const personField = changes.contact_id ? 'contact_id' : 'lead_id'
  if (before.is_account && changes[personField])
    throw invalid(
      'body',
      `/${personField}`,
      'kind',
      `\`${personField}\` must not be set for an account of the product.`,
    )
  const isChanged =
    changes.contact_id !== undefined || changes.lead_id !== undefined || changes.account_id !== undefined
  return {
    contact_id: changes.lead_id ? null : changes.contact_id === undefined ? before.contact_id : changes.contact_id,
    lead_id: changes.contact_id ? null : changes.lead_id === undefined ? before.lead_id : changes.lead_id,
    account_id: changes.account_id === undefined ? before.account_id : changes.account_id,
    link_locked: changes.link_locked ?? (isChanged ? true : before.link_locked),
    link_method: isChanged ? 'manual' : (before.link_method as ActorLinks['link_method']),
  }
}
