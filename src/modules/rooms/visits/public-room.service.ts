import { findUserProfile, getTenant } from '#modules/identity'
import { listItemsByIds } from '#modules/library'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { type Files, findFiles } from '#platform/files'
import type { Services } from '#platform/module'
import { listRoomItemRows } from '../items/items.queries.ts'
import { isShown, type RoomItemContent, readRoomItemContent } from '../items/room-content.service.ts'
import { accessDenied, requirementsOf } from '../links/gate.rules.ts'
import type { PublicLink } from '../links/links.queries.ts'
import { listStepRows } from '../plan/plan.queries.ts'
import { progressRateOf } from '../plan/plan.rules.ts'
import { listSections } from '../records/room-parts.queries.ts'
import type { RoomRow } from '../records/rooms.queries.ts'
import { brandingOf, isPublicImage, settingsOf } from '../records/rooms.rules.ts'
import { type ItemProgress, listItemProgress } from '../visit-records/item-progress.queries.ts'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import type { VisitRow } from '../visit-records/visits.queries.ts'
import { toItemVisitor, toPublicItem, toPublicStep } from './public-room.rules.ts'
import { readVisitAccess } from './visit-access.service.ts'
import { fileUrlsOf, publicFileUrl, ticketSeconds } from './visitor-files.rules.ts'
import type { PublicRoom, PublicRoomState } from './visits.schemas.ts'

type PublicServices = Pick<Services, 'clock' | 'files'> & { tokens: VisitTokens }
type Request = { shareToken: string; visitToken?: string | undefined }

export const getPublicRoom = async (
  tx: TenantTx,
  services: PublicServices,
  request: Request,
): Promise<PublicRoomState> => (await readPublicRoomState(tx, services, request)).state

type ShownRecords = { room: RoomRow; shown: RoomItemContent[]; progress: ReadonlyMap<string, ItemProgress> }
type ReadState = { state: PublicRoomState; shown?: ShownRecords; visit?: VisitRow }

/**
 * Returns also the records of what the visitor sees, if the link is open, and the running visit. After its end the visitor may
 * still read the texts, but files need a new visit.
 */
export async function readPublicRoomState(
  tx: TenantTx,
  services: PublicServices,
  { shareToken, visitToken }: Request,
): Promise<ReadState> {
  const now = services.clock.now()
  const { access, ...found } = await readVisitAccess(tx, services.tokens, { shareToken, visitToken, now })
  const isAllowed = access.state === 'open' || access.state === 'closed'
  const requires = requirementsOf(found.link)
  const { name: tenant_name } = await getTenant(tx)
  if (requires.length && !isAllowed)
    return { state: { access: 'gated', requires, tenant_name, branding: await readPublicBranding(tx, found.room) } }
  if (access.state === 'denied') throw accessDenied(requires)
  const visit = access.state === 'open' ? access.visit : undefined
  const { room, shown, progress } = await readShownRoom(tx, services, { ...found, visit })
  return {
    state: { access: 'open', tenant_name, visit_required: visit === undefined, room },
    shown: { room: found.room, shown, progress },
    visit,
  }
}

type ShownRoom = PublicLink & { visit: VisitRow | undefined }

export const readPublicRoom = async (
  tx: TenantTx,
  services: Pick<Services, 'clock' | 'files'>,
  shown: ShownRoom,
): Promise<PublicRoom> => (await readShownRoom(tx, services, shown)).room

/** Without a visit there are no URLs of files, so that link previews and mail scanners cannot load them. */
async function readShownRoom(
  tx: TenantTx,
  { files, clock }: Pick<Services, 'clock' | 'files'>,
  { room, link, visit }: ShownRoom,
): Promise<Omit<ShownRecords, 'room'> & { room: PublicRoom }> {
  const [owner, sections, rows, steps, branding, progress] = await Promise.all([
    findUserProfile(tx, room.owner_id),
    listSections(tx, room.id),
    listRoomItemRows(tx, room.id),
    listStepRows(tx, room.id),
    readPublicBranding(tx, room),
    visit ? listItemProgress(tx, visit) : new Map<string, ItemProgress>(),
  ])
  const settings = settingsOf(room.settings)
  const shown = (await readRoomItemContent(tx, rows)).filter(isShown)
  const issueTicket = visit && ticketIssuer(tx, files, { visitId: visit.id, link, now: clock.now() })
  const shownSteps = steps.filter(({ is_internal }) => !is_internal)
  const publicRoom: PublicRoom = {
    title: room.public_title ?? room.name,
    welcome: room.welcome,
    branding,
    seller: {
      name: owner?.name ?? '',
      title: owner?.title ?? null,
      avatar_url: owner?.avatar_url ?? null,
      email: settings.show_owner_email ? (owner?.email ?? null) : null,
      meeting_url: settings.meeting_url,
    },
    sections: sections.map(({ id, title, description }) => ({ id, title, description })),
    items: shown.map((item) => ({
      ...toPublicItem(item, issueTicket && fileUrlsOf(item, settings.downloads_allowed, issueTicket)),
      ...(visit && { visitor: toItemVisitor(progress.get(item.row.id), item.file?.page_count ?? null) }),
    })),
    plan: { steps: shownSteps.map(toPublicStep), progress_rate: progressRateOf(shownSteps) },
    expires_at: link.expires_at,
  }
  return { room: publicRoom, shown, progress }
}

type TicketOptions = { visitId: string; link: { expires_at: Date | null }; now: Date }

/** Tickets end with the link at the latest. Whether the file may be read is decided again by every request. */
export function ticketIssuer(tx: TenantTx, { tickets }: Files, { visitId, link, now }: TicketOptions) {
  const seconds = ticketSeconds(link.expires_at, now)
  return (fileId: string, disposition: 'inline' | 'attachment') =>
    tickets.issue({ tenantId: tenantIdOf(tx), fileId, userId: null, visitId, disposition, seconds })
}

/** Images of the branding are public content, so they need no ticket. Showing them is no view of the content. */
async function readPublicBranding(tx: TenantTx, room: RoomRow): Promise<PublicRoom['branding']> {
  const { logo_item_id, cover_item_id, ...colors } = brandingOf(room.branding)
  const ids = [logo_item_id, cover_item_id].filter((id) => id !== null)
  if (!ids.length) return { ...colors, logo_url: null, cover_url: null }
  const items = await listItemsByIds(tx, ids)
  const files = await findFiles(
    tx,
    items.flatMap(({ file_id }) => file_id ?? []),
  )
  const urlOf = (id: string | null) => {
    const image = items.find((item) => item.id === id && isPublicImage(item))
    const file = image?.file_id ? files.get(image.file_id) : undefined
    return image && file ? `${publicFileUrl(image.id, file.filename)}?track=false` : null
  }
  return { ...colors, logo_url: urlOf(logo_item_id), cover_url: urlOf(cover_item_id) }
}
