import {
  attributes,
  buildCardPage,
  escapeHtml,
  icons,
  type PublicPage,
  productTexts,
  renderCardTop,
  renderIcon,
  renderSender,
} from '#platform/html'
import type { PublicRoom } from '../visits/visits.schemas.ts'
import type { RoomPageContext } from './page-context.ts'
import { countSteps, formatDate } from './page-dates.rules.ts'
import { roomIcons } from './room-icons.ts'
import { type RoomHtml, renderSections } from './room-items.ts'
import { renderNextStep, renderPlan } from './room-plan.ts'

export type VisitOfPage = { shareToken: string; visitId: string; visitToken: string; reportedSeconds: number }

export const toVisitOfPage = (
  shareToken: string,
  visitToken: string | undefined,
  visit: { id: string; reported_seconds: number } | undefined,
): VisitOfPage | undefined =>
  visit && visitToken
    ? { shareToken, visitId: visit.id, visitToken, reportedSeconds: visit.reported_seconds }
    : undefined

type ShownRoom = {
  room: PublicRoom
  html: RoomHtml
  visit: VisitOfPage | undefined
  isPreview: boolean
  /** In the time zone of the workspace. */
  today: string
}

/**
 * The page of a visit opens files and has a script. Without a visit it has a form that starts one, or, if there are no files, the
 * script starts it when the visitor uses the page.
 */
export function buildRoomPage(shown: ShownRoom, context: RoomPageContext): PublicPage {
  const { room, html, visit } = shown
  const { theme, texts } = context
  const sections = renderSections({ room, html, hasVisit: visit !== undefined }, context)
  return {
    title: room.title,
    language: context.language,
    layout: 'room',
    skipLink: `<a class="skip" href="#documents">${escapeHtml(texts.page.skip)}</a>\n`,
    header: `<div class="bar">${renderSender(theme.workspace, theme.logoUrl)}${renderJumpLinks(room, context)}${renderSeller(room, context)}</div>`,
    navigation: renderPhoneLinks(room, context),
    main: `${renderHero(shown, context)}
<div class="cols"><div id="documents">${sections}</div>
<div class="side">${renderPlan(shown, context)}
${renderContact(room, context)}</div></div>
<p class="hidden" id="plan-news" role="status"></p>
${visit ? renderVisit(visit) : ''}`,
    footer: `<p>${renderIcon(roomIcons.eye, 16)}<span>${escapeHtml(texts.page.sees(theme.workspace))}</span></p><span>${productTexts[context.language]}</span>`,
    embedsFiles: true,
    ...((visit || !hasFiles(room)) && { script: '/r/room.js' }),
  }
}

export const renderVisit = ({ shareToken, visitId, visitToken, reportedSeconds }: VisitOfPage): string =>
  `<div${attributes({
    id: 'visit',
    hidden: true,
    'data-share-token': shareToken,
    'data-visit-id': visitId,
    'data-visit-token': visitToken,
    'data-reported-seconds': reportedSeconds,
  })}></div>`

const hasFiles = ({ items }: PublicRoom): boolean => items.some(({ media_type }) => media_type !== null)

function renderHero(shown: ShownRoom, context: RoomPageContext): string {
  const { room, html, visit, isPreview } = shown
  const { texts } = context
  const { cover_url } = room.branding
  const parts = [
    isPreview
      ? `<p class="preview">${renderIcon(roomIcons.eye, 16)}<span>${escapeHtml(texts.page.preview)}</span></p>`
      : '',
    cover_url ? `<img${attributes({ class: 'cover', src: cover_url, alt: '' })}>` : '',
    `<h1>${escapeHtml(room.title)}</h1>`,
    html.get(null) ? `<div class="welcome">${html.get(null)}</div>` : '',
    room.expires_at ? renderUntil(room.expires_at, context) : '',
    hasFiles(room) && !visit
      ? `<form class="start" method="post" action="${context.url}"><button class="button primary" type="submit">${renderIcon(icons.lock, 17)}${escapeHtml(texts.page.openFiles)}</button></form>`
      : '',
  ]
  return `<div class="hero"><div><div>${parts.filter(Boolean).join('\n')}</div>
<div id="next">${renderNextStep(shown, context)}</div></div></div>`
}

function renderUntil(expiresAt: Date, context: RoomPageContext): string {
  const [before, after] = context.texts.page.availableUntil
  const time = `<time datetime="${expiresAt.toISOString()}">${escapeHtml(formatDate(expiresAt, context))}</time>`
  return `<p class="until">${renderIcon(icons.clock, 16)}<span>${escapeHtml(before)}${time}${escapeHtml(after)}</span></p>`
}

function listJumps({ plan }: PublicRoom, { texts: { page } }: RoomPageContext): [target: string, label: string][] {
  return [
    ['documents', page.documents],
    ...(plan.steps.length ? [['plan', page.plan] as [string, string]] : []),
    ['contact', page.contact],
  ]
}

const renderJumpLinks = (room: PublicRoom, context: RoomPageContext): string =>
  `<nav${attributes({ class: 'jump', 'aria-label': context.texts.page.onThisPage })}>${listJumps(room, context)
    .map(([target, label]) => `<a href="#${target}">${escapeHtml(label)}</a>`)
    .join('')}</nav>`

/** The links of the header have no room on a phone. */
function renderPhoneLinks(room: PublicRoom, context: RoomPageContext): string {
  const { done, total } = countSteps(room.plan.steps)
  const links = listJumps(room, context).map(
    ([target, label]) =>
      `<a href="#${target}">${escapeHtml(label)}${target === 'plan' ? ` <span id="plan-count">${done}/${total}</span>` : ''}</a>`,
  )
  return `<nav${attributes({ class: 'jump-row', 'aria-label': context.texts.page.onThisPage })}>${links.join('')}</nav>\n`
}

function renderSeller({ seller }: PublicRoom, { texts }: RoomPageContext): string {
  const { email, meeting } = contactLinks(seller, texts.page, 'button compact')
  const title = seller.title ? `<span>${escapeHtml(seller.title)}</span>` : ''
  return `<div class="person">${renderFace(seller.name)}<div><b>${escapeHtml(seller.name)}</b>${title}</div></div>${email}${meeting}`
}

function renderContact({ seller }: PublicRoom, { theme, texts }: RoomPageContext): string {
  const { email, meeting } = contactLinks(seller, texts.page, 'button compact')
  const about = [seller.title, theme.workspace].filter(Boolean).join(', ')
  const links = meeting || email ? `<div class="acts">${meeting}${email}</div>` : ''
  return `<section${attributes({ class: 'panel contact', id: 'contact', 'aria-label': texts.page.contact })}><div class="person">${renderFace(seller.name, ' large')}<div><b>${escapeHtml(seller.name)}</b><span>${escapeHtml(about)}</span></div></div>${links}</section>`
}

function contactLinks(
  { email, meeting_url }: PublicRoom['seller'],
  texts: RoomPageContext['texts']['page'],
  classes: string,
) {
  const mail = attributes({ class: `${classes} mail`, href: `mailto:${email}` })
  const meeting = attributes({ class: classes, href: meeting_url ?? '', target: '_blank', rel: 'noopener noreferrer' })
  return {
    email: email ? `<a${mail}>${renderIcon(roomIcons.email, 17)}${escapeHtml(texts.email)}</a>` : '',
    meeting: meeting_url
      ? `<a${meeting}>${renderIcon(roomIcons.calendar, 17)}${escapeHtml(texts.bookMeeting)}</a>`
      : '',
  }
}

/** Shows the initials, because pictures of users are on other hosts. */
function renderFace(name: string, size = ''): string {
  const words = name.trim().split(/\s+/)
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '')
  return `<span class="face${size}" aria-hidden="true">${escapeHtml(initials.join('').toUpperCase())}</span>`
}

/** Shows nothing of the room. Only the form opens the preview, because programs that show previews of links also load its URL. */
export function buildPreviewPage(
  previewToken: string,
  { theme, language, url, texts: { preview: texts } }: RoomPageContext,
): PublicPage {
  const field = attributes({ type: 'hidden', name: 'preview', value: previewToken })
  return buildCardPage(theme, {
    title: texts.heading,
    language,
    parts: [
      renderCardTop({ icon: 'key', heading: texts.heading, lead: escapeHtml(texts.lead) }),
      `<form method="post" action="${url}/preview"><input${field}><button class="button primary wide" type="submit">${escapeHtml(texts.open)}</button></form>`,
      `<p class="end">${escapeHtml(texts.end)}</p>`,
    ],
  })
}
