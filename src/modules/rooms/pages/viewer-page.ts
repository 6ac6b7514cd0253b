import {
  attributes,
  escapeHtml,
  icons,
  type PageLanguage,
  type PublicPage,
  renderIcon,
  renderNote,
} from '#platform/html'
import type { PublicRoom, PublicRoomItem } from '../visits/visits.schemas.ts'
import { renderVisit, type VisitOfPage } from './page.ts'
import { viewerTexts } from './viewer-texts.ts'

export type Viewed = {
  language: PageLanguage
  room: PublicRoom
  item: PublicRoomItem
  /** HTML of the Markdown of the item. */
  html: string
  /** Text of a file that browsers do not show. */
  fileText: string | null
  page: number
  readPages: readonly number[]
  visit: VisitOfPage
}

const ownIcons = {
  back: '<path d="m12 19-7-7 7-7M19 12H5"/>',
  download: '<path d="M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l5 5 5-5"/>',
  question:
    '<path d="M2.992 16.342a2 2 0 0 1 .094 1.167l-1.065 3.29a1 1 0 0 0 1.236 1.168l3.413-.998a2 2 0 0 1 1.099.092 10 10 0 1 0-4.777-4.719M9.09 9a3 3 0 0 1 5.83 1c0 2-3 3-3 3M12 17h.01"/>',
  previous: '<path d="m15 18-6-6 6-6"/>',
  next: '<path d="m9 18 6-6-6-6"/>',
  text: '<path d="M21 5H3M15 12H3M17 19H3"/>',
}

/** The page of one item. Documents are drawn by its script; without scripts the browser shows them in a frame. */
export function buildViewerPage(viewed: Viewed): PublicPage {
  const { language, item, visit } = viewed
  const texts = viewerTexts[language]
  const isPdf = item.url !== null && item.media_type === 'application/pdf'
  return {
    title: item.title,
    language,
    layout: 'viewer',
    skipLink: `<a class="skip" href="#viewer">${texts.skip}</a>`,
    header: renderHeader(viewed),
    navigation: isPdf ? `<nav${attributes({ class: 'strip', 'aria-label': texts.strip })}><ol></ol></nav>` : '',
    main: `${isPdf ? renderDocument(viewed) : renderContent(viewed)}\n${renderVisit(visit)}`,
    footer: '',
    script: '/r/viewer.js',
    embedsFiles: true,
  }
}

function renderHeader({ language, room, item: { title, download_url }, visit }: Viewed): string {
  const texts = viewerTexts[language]
  const back = attributes({
    class: 'button quiet icon',
    href: `/r/${visit.shareToken}`,
    'aria-label': texts.back(room.title),
  })
  const download =
    download_url &&
    `<a${attributes({ class: 'button compact download', href: download_url, 'aria-label': texts.downloadNamed(title), 'data-action': 'download' })}>${renderIcon(ownIcons.download, 18)}<span>${texts.download}</span></a>`
  const { email, name } = room.seller
  const firstName = name.split(' ')[0]!
  const ask =
    email &&
    `<a${attributes({ class: 'button compact primary', href: `mailto:${email}?subject=${encodeURIComponent(title)}` })}>${renderIcon(ownIcons.question, 18)}<span>${escapeHtml(texts.ask(firstName))}</span></a>`
  return [
    `<a${back}>${renderIcon(ownIcons.back, 20)}</a>`,
    `<div class="name"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(room.title)}</p></div>`,
    download,
    ask,
  ]
    .filter(Boolean)
    .join('')
}

function renderDocument({ language, item, page, readPages }: Viewed): string {
  const texts = viewerTexts[language]
  const { id, title, url, size_bytes } = item
  const viewer = attributes({
    id: 'viewer',
    class: 'leaves',
    role: 'group',
    tabindex: 0,
    'aria-label': texts.document,
    'data-item': id,
    'data-pdf': url ?? '',
    'data-size': size_bytes ?? 0,
    'data-page': page,
    'data-read': readPages.join(' '),
    'data-texts': JSON.stringify(texts.ofScript),
  })
  const button = (name: string, label: string, icon: string) =>
    `<button${attributes({ id: name, class: 'button icon', type: 'button', 'aria-label': label })}>${renderIcon(icon, 20)}</button>`
  return `<link rel="modulepreload" href="/r/document.js"><link rel="modulepreload" href="/r/pdfjs/pdf.mjs">
<div${viewer}><noscript><iframe${attributes({ src: url ?? '', title })}></iframe></noscript></div>
<p id="loading" class="loading" role="status">${texts.loading}</p>
<div id="failure" class="failure" role="alert" hidden>${renderNote('bad', `${texts.failed} <button class="link" type="button">${texts.retry}</button>`)}</div>
<div id="pages"${attributes({ class: 'pager', role: 'group', 'aria-label': texts.pager, hidden: true })}>
<div class="rate"><span id="read"></span><progress${attributes({ 'aria-label': texts.readRate, value: 0 })}></progress></div>
${button('previous', texts.previous, ownIcons.previous)}<span id="position" role="status"></span>${button('next', texts.next, ownIcons.next)}
<div class="end"><button${attributes({ id: 'as-text', class: 'button quiet compact', type: 'button', 'aria-pressed': 'false' })}>${renderIcon(ownIcons.text, 17)}${texts.asText}</button></div>
</div>
<template id="page-link"><li><a><canvas aria-hidden="true"></canvas><span><span></span>${renderIcon(icons.check, 14, 3)}</span></a></li></template>`
}

function renderContent(viewed: Viewed): string {
  const { language, item, html } = viewed
  const { id, title, description, link_url } = item
  const media = renderMedia(item)
  const link =
    link_url &&
    `<p><a${attributes({ class: 'button primary', href: link_url, target: '_blank', rel: 'noopener noreferrer', 'data-action': 'link_click' })}>${escapeHtml(viewerTexts[language].open(title))}</a></p>`
  const heading = html && `<h2 class="hidden">${viewerTexts[language].content}</h2>`
  const text = [
    heading,
    description && `<p class="about">${escapeHtml(description)}</p>`,
    html,
    renderFileText(viewed),
    link,
  ]
    .filter(Boolean)
    .join('\n')
  const body = `${media && `<figure>${media}</figure>`}${text && `<div class="text">${text}</div>`}`
  return `<div${attributes({ id: 'viewer', class: 'leaves', 'data-item': id, tabindex: 0, role: 'group', 'aria-label': title })}>${body}</div>`
}

/** Returns nothing for files that browsers do not show. */
function renderMedia({ media_type, title, url, thumbnail_url }: PublicRoomItem): string {
  if (url === null || media_type === null) return ''
  if (media_type.startsWith('image/')) return `<img${attributes({ src: url, alt: title })}>`
  const player = { src: url, 'aria-label': title, controls: true, preload: 'metadata' }
  if (media_type.startsWith('audio/')) return `<audio${attributes(player)}></audio>`
  if (!media_type.startsWith('video/')) return ''
  return `<video${attributes({ ...player, poster: thumbnail_url ?? undefined, playsinline: true })}></video>`
}

const shownByBrowsers = /^(application\/pdf$|image\/|video\/|audio\/)/

function renderFileText({ language, item: { media_type, download_url }, fileText }: Viewed): string {
  if (!media_type || shownByBrowsers.test(media_type)) return ''
  if (fileText) return `<div class="file-text">${escapeHtml(fileText)}</div>`
  const texts = viewerTexts[language]
  return `<p>${download_url ? texts.notShownDownload : texts.notShown}</p>`
}
