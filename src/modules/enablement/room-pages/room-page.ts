import { escapeHtml, type HtmlPage } from '#platform/html'
import type { Requirement } from '../room-links/gate.rules.ts'
import type { PublicRoom, PublicRoomItem } from '../room-visits/room-visits.schemas.ts'
import { attribute, link, renderFile } from './room-files.ts'
import { roomStyle } from './room-style.ts'

/** HTML of Markdown by item; that of the welcome text has the key null. */
export type RoomHtml = ReadonlyMap<string | null, string>

export type VisitOfPage = { shareToken: string; visitId: string; visitToken: string; reportedSeconds: number }

/** The page of a visit has files and a script; without a visit it has a form that starts one. */
export function buildRoomPage(
  room: PublicRoom,
  html: RoomHtml,
  visit: VisitOfPage | undefined,
  action: string,
): HtmlPage {
  const sections = [null, ...room.sections.map(({ id }) => id)]
  const { logo_url, cover_url } = room.branding
  const parts = [
    logo_url ? `<img class="logo"${attribute('src', logo_url)} alt="">` : '',
    `<h1>${escapeHtml(room.title)}</h1>`,
    cover_url ? `<img class="cover"${attribute('src', cover_url)} alt="">` : '',
    html.get(null) ?? '',
    visit
      ? ''
      : `<form method="post"${attribute('action', action)}><button type="submit">Open the files</button></form>`,
    ...sections.map((sectionId) => renderSection(room, html, sectionId, visit && action)),
    renderPlan(room),
    renderSeller(room),
    visit ? renderVisit(visit) : '',
  ]
  return {
    title: room.title,
    body: parts.filter(Boolean).join('\n'),
    width: 'wide',
    embedsFiles: true,
    style: roomStyle(room.branding),
    ...(visit && { script: '/r/room.js' }),
  }
}

export const renderVisit = ({ shareToken, visitId, visitToken, reportedSeconds }: VisitOfPage): string =>
  `<div id="visit" hidden${attribute('data-share-token', shareToken)}${attribute('data-visit-id', visitId)}${attribute('data-visit-token', visitToken)}${attribute('data-reported-seconds', String(reportedSeconds))}></div>`

/** Without the address of the page there is no visit, and files cannot be opened. */
function renderSection(
  { sections, items }: PublicRoom,
  html: RoomHtml,
  sectionId: string | null,
  pageUrl: string | undefined,
): string {
  const section = sections.find(({ id }) => id === sectionId)
  const shown = items.filter(({ section_id }) => section_id === sectionId)
  if (!shown.length && !section?.description) return ''
  const heading = section ? `<h2>${escapeHtml(section.title)}</h2>` : ''
  const description = section?.description ? `<p>${escapeHtml(section.description)}</p>` : ''
  const articles = shown.map((item) =>
    renderItem(item, html.get(item.id) ?? '', { heading: section ? 'h3' : 'h2', pageUrl }),
  )
  return `<section>${heading}${description}${articles.join('\n')}</section>`
}

type ItemPlace = { heading: 'h2' | 'h3'; pageUrl: string | undefined }

function renderItem(item: PublicRoomItem, html: string, { heading, pageUrl }: ItemPlace): string {
  const { id, title, description, link_url, media_type, download_url } = item
  return `<article${attribute('data-item', id)}>
<${heading}>${escapeHtml(title)}</${heading}>
${description ? `<p>${escapeHtml(description)}</p>` : ''}
${html}
${link_url ? `<p>${link(link_url, `Open ${title}`, ' data-action="link_click"')}</p>` : ''}
${media_type && pageUrl ? renderFile(item, `${pageUrl}/items/${id}`) : ''}
${download_url ? `<p>${link(download_url, `Download ${title}`, ' data-action="download"')}</p>` : ''}
</article>`
}

const stepStates: Record<string, string> = {
  todo: 'To do',
  in_progress: 'In progress',
  done: 'Done',
  cancelled: 'Cancelled',
}

function renderPlan({ plan: { steps } }: PublicRoom): string {
  if (!steps.length) return ''
  const rows = steps.map(
    ({ title, side, assignee_name, due_on, status }) =>
      `<tr><td>${escapeHtml(title)}</td><td>${escapeHtml(assignee_name ?? (side === 'buyer' ? 'You' : 'We'))}</td><td class="date">${escapeHtml(due_on ?? '')}</td><td>${stepStates[status]}</td></tr>`,
  )
  return `<section><h2>Plan</h2><table><thead><tr><th scope="col">Step</th><th scope="col">Who</th><th scope="col">Due</th><th scope="col">Status</th></tr></thead><tbody>${rows.join('')}</tbody></table></section>`
}

function renderSeller({ seller: { name, title, email, meeting_url } }: PublicRoom): string {
  const contact = [
    email ? `<a${attribute('href', `mailto:${email}`)}>${escapeHtml(email)}</a>` : '',
    meeting_url ? link(meeting_url, 'Book a meeting') : '',
  ].filter(Boolean)
  return `<section><h2>Your contact</h2><p>${escapeHtml([name, title].filter(Boolean).join(', '))}</p>${contact.length ? `<p>${contact.join(' · ')}</p>` : ''}</section>`
}

export type GateInput = { email?: string; name?: string; password?: string }
export type Gate = {
  requires: readonly Requirement[]
  action: string
  input?: GateInput
  message?: string
  asksForCode?: boolean
}

const field = (label: string, name: string, more: string) =>
  `<label for="${name}">${label}</label><input id="${name}" name="${name}" required ${more}>`
const hidden = (name: string, value: string | undefined) =>
  value === undefined ? '' : `<input type="hidden" name="${name}"${attribute('value', value)}>`

/** Shows what the link requires, and nothing of the room. */
export function buildGatePage({ requires, action, input = {}, message, asksForCode }: Gate): HtmlPage {
  const needsEmail = requires.includes('email') || requires.includes('verified_email')
  const fields = asksForCode
    ? [
        hidden('email', input.email),
        hidden('name', input.name),
        hidden('password', input.password),
        field('Code', 'code', 'inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6"'),
      ]
    : [
        needsEmail
          ? field(
              'Email address',
              'email',
              `type="email" autocomplete="email" maxlength="254"${attribute('value', input.email ?? '')}`,
            )
          : '',
        requires.includes('password') ? field('Password', 'password', 'type="password" maxlength="128"') : '',
      ]
  const text = asksForCode ? 'If your email address may open this page, you receive a code in a moment.' : ''
  return {
    title: 'Open this page',
    body: `<h1>Open this page</h1>
${text ? `<p>${text}</p>` : ''}
<div role="alert">${message ? escapeHtml(message) : ''}</div>
<form method="post"${attribute('action', action)}>${fields.join('')}<button type="submit">Continue</button></form>`,
  }
}

export const buildClosedPage = (message: string): HtmlPage => ({
  title: 'Page not available',
  body: `<h1>Page not available</h1><p>${escapeHtml(message)}</p>`,
})
