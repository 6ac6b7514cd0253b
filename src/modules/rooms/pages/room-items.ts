import { attributes, escapeHtml, renderIcon } from '#platform/html'
import type { PublicRoom, PublicRoomItem } from '../visits/visits.schemas.ts'
import { renderProgress } from './item-progress.ts'
import type { RoomPageContext } from './page-context.ts'
import { describeFile, itemTypeOf, toClockTime } from './room-files.ts'
import { lockIcon, roomIcons, typeIcons } from './room-icons.ts'

/** HTML of Markdown by item; that of the welcome text has the key null. */
export type RoomHtml = ReadonlyMap<string | null, string>

type ShownItems = { room: PublicRoom; html: RoomHtml; hasVisit: boolean }

/** Items without a section come first. */
export function renderSections(shown: ShownItems, context: RoomPageContext): string {
  const { sections, items } = shown.room
  const groups = [{ id: null, title: context.texts.page.documents, description: null }, ...sections]
    .map((section) => ({ ...section, items: items.filter(({ section_id }) => section_id === section.id) }))
    .filter(({ items: placed, description }) => placed.length || description)
  return groups
    .map(({ title, description, items: placed }, at) => {
      const lead = description ? `<p>${escapeHtml(description)}</p>` : ''
      const cards = placed.map((item, position) =>
        renderItem(item, { ...shown, isFirst: at === 0 && position === 0 }, context),
      )
      return `<section class="sect" aria-labelledby="s${at}"><header><h2 id="s${at}">${escapeHtml(title)}</h2>${lead}</header>
${cards.length ? `<ul class="items">${cards.join('\n')}</ul>` : ''}</section>`
    })
    .join('\n')
}

type Place = ShownItems & { isFirst: boolean }

const renderItem = (item: PublicRoomItem, place: Place, context: RoomPageContext): string =>
  item.media_type || (item.link_url && !place.html.get(item.id))
    ? renderCard(item, place, context)
    : renderText(item, place)

function renderText(item: PublicRoomItem, { html, isFirst }: Place): string {
  const { id, title, description, link_url } = item
  const parts = [
    `<h3>${escapeHtml(title)}</h3>`,
    description && `<p>${escapeHtml(description)}</p>`,
    html.get(id),
    link_url && `<p><a${linkAttributes(link_url)}>${escapeHtml(hostOf(link_url))}</a></p>`,
  ]
  const attributesOfItem = attributes({ class: isFirst ? 'prose first' : 'prose', 'data-item': id })
  return `<li${attributesOfItem}>${parts.filter(Boolean).join('\n')}</li>`
}

/** Without a visit, files cannot be opened, but links can. */
function renderCard(item: PublicRoomItem, { isFirst, hasVisit }: Place, context: RoomPageContext): string {
  const { id, title, description, link_url } = item
  const isFile = item.media_type !== null
  const isLocked = isFile && !hasVisit
  const viewerUrl = `${context.url}/items/${id}`
  const name = escapeHtml(title)
  const opener = isFile ? `<a href="${viewerUrl}">${name}</a>` : `<a${linkAttributes(link_url ?? '')}>${name}</a>`
  const parts = [
    `<h3>${isLocked ? name : opener}</h3>`,
    `<p class="meta">${renderIcon(typeIcons[itemTypeOf(item)], 15)}<span>${escapeHtml(describeItem(item, context))}</span></p>`,
    isFirst && description ? `<p class="about">${escapeHtml(description)}</p>` : '',
    isLocked ? renderLock(context) : renderProgress(item, { isFirst, viewerUrl }, context),
  ]
  const attributesOfItem = attributes({
    class: ['item', isFirst && 'first', isLocked && 'locked'].filter(Boolean).join(' '),
    'data-item': id,
  })
  return `<li${attributesOfItem}>${renderThumbnail(item, isLocked)}<div class="body">${parts.filter(Boolean).join('\n')}</div></li>`
}

function describeItem(item: PublicRoomItem, { texts, locale }: RoomPageContext): string {
  if (item.media_type !== null || item.link_url === null) return describeFile(item, { texts, locale })
  return `${texts.item.types.link} · ${texts.item.opensHost(hostOf(item.link_url))}`
}

const renderLock = ({ texts }: RoomPageContext): string =>
  `<div class="read"><span class="state">${lockIcon(15)}${escapeHtml(texts.page.locked)}</span></div>`

/** Shows the first page or the picture of a file, otherwise an icon for its type. */
function renderThumbnail(item: PublicRoomItem, isLocked: boolean): string {
  const { thumbnail_url, duration_seconds } = item
  const type = itemTypeOf(item)
  const isVideo = type === 'video' && !isLocked
  const over = isVideo
    ? `<span class="play">${renderIcon(roomIcons.play, 22)}</span>${duration_seconds === null ? '' : `<span class="stamp">${toClockTime(duration_seconds)}</span>`}`
    : ''
  if (!thumbnail_url)
    return `<div class="thumb glyph">${isVideo ? '' : renderIcon(typeIcons[type], 40, 1.6)}${over}</div>`
  const image = attributes({ src: thumbnail_url, alt: '', loading: 'lazy' })
  const isFilled = isVideo || type === 'image'
  return `<div class="thumb${isFilled ? ' fill' : ''}"><img${image}>${over}</div>`
}

const linkAttributes = (url: string): string =>
  attributes({ href: url, target: '_blank', rel: 'noopener noreferrer', 'data-action': 'link_click' })

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)
