import { escapeHtml, type HtmlPage } from '#platform/html'
import type { PublicRoom, PublicRoomItem } from '../room-visits/room-visits.schemas.ts'
import { attribute, describeFile, link, renderMedia } from './room-files.ts'
import { renderVisit, type VisitOfPage } from './room-page.ts'
import { roomStyle } from './room-style.ts'

const style = `
#viewer img, #viewer video { display: block; max-width: 100% }
#viewer iframe { width: 100%; height: 80vh; border: 1px solid #8888 }
.page { margin: 1rem 0 }
.page canvas { display: block; width: 100%; background: #fff; border: 1px solid #8888; box-sizing: border-box }
.page-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: pre-wrap }
.file-text { white-space: pre-wrap; overflow-wrap: anywhere }
#pages { position: sticky; bottom: 0; display: flex; gap: 1rem; align-items: center; background: canvas; padding: .5rem 0 }
#pages[hidden] { display: none }
#pages button { width: auto; margin: 0 }
`

type Viewed = {
  room: PublicRoom
  item: PublicRoomItem
  html: string
  /** Text of a file that browsers do not show. */
  fileText: string | null
  page: number
  visit: VisitOfPage
}

/** The page of one item. Documents are drawn by its script; without scripts the browser shows them in a frame. */
export function buildViewerPage({ room, item, html, fileText, page, visit }: Viewed): HtmlPage {
  const { title, description, link_url, media_type, download_url } = item
  const parts = [
    `<nav><a${attribute('href', `/r/${visit.shareToken}`)}>${escapeHtml(`Back to ${room.title}`)}</a></nav>`,
    `<h1>${escapeHtml(title)}</h1>`,
    media_type ? `<p class="details">${escapeHtml(describeFile(item))}</p>` : '',
    description ? `<p>${escapeHtml(description)}</p>` : '',
    download_url ? `<p>${link(download_url, `Download ${title}`, ' data-action="download"')}</p>` : '',
    link_url ? `<p>${link(link_url, `Open ${title}`, ' data-action="link_click"')}</p>` : '',
    renderViewer(item, page, `${html}${renderFileText(item, fileText)}`),
    renderVisit(visit),
  ]
  return {
    title,
    body: parts.filter(Boolean).join('\n'),
    width: 'wide',
    embedsFiles: true,
    style: `${roomStyle(room.branding)}${style}`,
    script: '/r/viewer.js',
  }
}

function renderViewer(item: PublicRoomItem, page: number, texts: string): string {
  const { id, title, url, media_type } = item
  if (url === null || media_type !== 'application/pdf')
    return `<div id="viewer"${attribute('data-item', id)}>${url === null ? '' : renderMedia(item, url)}${texts}</div>`
  const frame = `<noscript><iframe${attribute('src', url)}${attribute('title', title)}></iframe></noscript>`
  return `<div id="viewer"${attribute('data-item', id)}${attribute('data-pdf', url)}${attribute('data-page', String(page))}>${frame}</div>
<div id="pages" hidden><button id="previous" type="button">Previous page</button><span id="position" role="status"></span><button id="next" type="button">Next page</button></div>`
}

const shownByBrowsers = /^(application\/pdf$|image\/|video\/|audio\/)/

function renderFileText({ media_type, download_url }: PublicRoomItem, text: string | null): string {
  if (!media_type || shownByBrowsers.test(media_type)) return ''
  if (text) return `<div class="file-text">${escapeHtml(text)}</div>`
  return `<p>${download_url ? 'This file cannot be shown here. Download it to read it.' : 'This file cannot be shown here.'}</p>`
}
