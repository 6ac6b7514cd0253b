import { findAccountNames, findContactReferences, findOpportunityReferences } from '#modules/crm'
import { findUserNames } from '#modules/identity'
import type { Scope, UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { readEngagement } from '../analytics/engagement.service.ts'
import { listRoomItems } from '../items/items.service.ts'
import { listRoomLinks } from '../links/links.service.ts'
import { readPlan } from '../plan/plan.service.ts'
import { listCollaborators, listSections } from '../records/room-parts.queries.ts'
import { getRoom as getRoomRow, type RoomRow } from '../records/rooms.queries.ts'
import { brandingOf, canSeeLinks, settingsOf } from '../records/rooms.rules.ts'
import { listRoomRows } from './list-rooms.queries.ts'
import type { Room, RoomSummary } from './room-details.schemas.ts'
import type { RoomQuery } from './rooms.schemas.ts'

type RoomServices = Pick<Services, 'secrets' | 'config' | 'clock'>

export async function getRoom(tx: TenantTx, actor: UserActor, roomId: string, services: RoomServices): Promise<Room> {
  return await toRoomDetails(tx, actor, await getRoomRow(tx, roomId), services)
}

export async function toRoomDetails(
  tx: TenantTx,
  actor: UserActor,
  row: RoomRow,
  services: RoomServices,
): Promise<Room> {
  const [[summary], sections, collaborators, plan, items, { score }] = await Promise.all([
    toRoomSummaries(tx, [row], actor.scopes),
    listSections(tx, row.id),
    listCollaborators(tx, row.id),
    readPlan(tx, actor, row.id),
    listRoomItems(tx, row.id),
    readEngagement(tx, row.id, services.clock.now()),
  ])
  const collaboratorRole = collaborators.find(({ user_id }) => user_id === actor.userId)?.role
  // A link gives access to everything in the room, which a key that only reads rooms must not pass on.
  const isShown = actor.scopes.has('rooms.write') && canSeeLinks(actor, { owner_id: row.owner_id, collaboratorRole })
  const [links, names] = await Promise.all([
    isShown ? listRoomLinks(tx, row.id, services) : [],
    findUserNames(
      tx,
      collaborators.map(({ user_id }) => user_id),
    ),
  ])
  return {
    ...summary!,
    welcome: row.welcome,
    branding: brandingOf(row.branding),
    settings: settingsOf(row.settings),
    sections,
    items,
    plan,
    score,
    collaborators: collaborators.map(({ user_id, role }) => ({ user_id, role, name: names.get(user_id) ?? '' })),
    share: links.find(({ is_default, revoked_at }) => is_default && revoked_at === null) ?? null,
    links,
  }
}

/** Deleted accounts, deals and contacts are shown as null, as are contacts and amounts that the reader may not read. */
export async function toRoomSummaries(
  tx: TenantTx,
  rows: readonly RoomRow[],
  scopes: ReadonlySet<Scope>,
): Promise<RoomSummary[]> {
  const [owners, accounts, deals, contacts] = await Promise.all([
    findUserNames(
      tx,
      rows.map(({ owner_id }) => owner_id),
    ),
    findAccountNames(
      tx,
      rows.flatMap(({ account_id }) => account_id ?? []),
    ),
    findOpportunityReferences(
      tx,
      rows.flatMap(({ opportunity_id }) => opportunity_id ?? []),
    ),
    findContactReferences(
      tx,
      scopes.has('contacts.read') ? rows.flatMap(({ primary_contact_id }) => primary_contact_id ?? []) : [],
    ),
  ])
  return rows.map((row) => {
    const account = row.account_id === null ? undefined : accounts.get(row.account_id)
    const deal = row.opportunity_id === null ? undefined : deals.get(row.opportunity_id)
    const contact = row.primary_contact_id === null ? undefined : contacts.get(row.primary_contact_id)
    return {
      ...(row as unknown as RoomSummary),
      owner: { id: row.owner_id, name: owners.get(row.owner_id) ?? '' },
      account: account === undefined ? null : { id: row.account_id!, name: account },
      opportunity: deal
        ? {
            id: deal.id,
            name: deal.name,
            stage_key: deal.stage_key,
            amount: scopes.has('opportunities.read') ? deal.amount : null,
            close_on: deal.close_on,
          }
        : null,
      primary_contact: contact ? { id: contact.id, name: contact.name ?? contact.email ?? '' } : null,
    }
  })
}

export async function listRooms(
  tx: TenantTx,
  actor: UserActor,
  { mine, ...query }: RoomQuery,
): Promise<Page<RoomSummary>> {
  const { items, ...rest } = await listRoomRows(tx, { ...query, ...(mine && { owner_id: actor.userId }) })
  return { ...rest, items: await toRoomSummaries(tx, items, actor.scopes) }
}
