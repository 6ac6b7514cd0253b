import { type EmailContent, type EmailKind, findForeignLink, readOwnDomains } from '#modules/email'
import { findUserProfile, getTenant, readSettings } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { renderMail } from '#platform/mail'
import type { Services } from '#platform/module'
import { isLive, requirementsOf } from './gate.rules.ts'
import { listLinksWithRooms } from './links.queries.ts'
import { linkEmailKind } from './links.rules.ts'
import { toRoomLinks } from './links.service.ts'

/** The link is not in the queued row, and a link that was revoked in the meantime is not sent. */
export const linkEmails: EmailKind = {
  kind: linkEmailKind,
  channel: 'email',
  async render(tx, services, messages) {
    const links = await listLinksWithRooms(
      tx,
      messages.map(({ ref_id }) => ref_id),
    )
    const contents = new Map<string, EmailContent | { skip: string }>()
    for (const { id, ref_id, to_address } of messages) {
      const found = links.find(({ link }) => link.id === ref_id)
      const isSent =
        found?.link.recipient_email === to_address &&
        found.room.status === 'active' &&
        isLive(found.link, services.clock.now())
      contents.set(id, isSent ? await renderLinkEmail(tx, services, found) : { skip: 'link_not_live' })
    }
    return contents
  },
}

type FoundLink = Awaited<ReturnType<typeof listLinksWithRooms>>[number]

/** The title of a room behind a gate is not in the email, because emails are forwarded, and no title with a link to another domain. */
async function renderLinkEmail(tx: TenantTx, services: Services, { link, room }: FoundLink): Promise<EmailContent> {
  const [owner, tenant, branding, [shown], ownDomains] = await Promise.all([
    findUserProfile(tx, room.owner_id),
    getTenant(tx),
    readSettings(tx, 'branding'),
    toRoomLinks(tx, [link], services),
    readOwnDomains(tx, services.config),
  ])
  const requires = requirementsOf(link)
  const sender = owner?.name ?? tenant.name
  const name = room.public_title ?? room.name
  const title = requires.length || findForeignLink(name, ownDomains) !== undefined ? 'a page' : `"${name}"`
  const subject = `${sender} shared ${title} with you`
  const content = renderMail({
    workspace: { name: tenant.name, branding },
    title: subject,
    paragraphs: [
      ...(requires.includes('password') ? [`You need the password that ${sender} gives you.`] : []),
      ...(requires.includes('verified_email') ? ['You receive a code by email when you open it.'] : []),
      'The link is for you. Do not pass it on.',
    ],
    action: { label: 'Open the page', url: shown!.url! },
  })
  return { subject, ...content }
}
