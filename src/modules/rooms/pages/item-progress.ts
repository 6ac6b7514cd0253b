import { attributes, escapeHtml, icons, renderIcon } from '#platform/html'
import type { PublicRoomItem } from '../visits/visits.schemas.ts'
import type { RoomPageContext } from './page-context.ts'
import { itemTypeOf, toClockTime } from './room-files.ts'

type Place = { isFirst: boolean; viewerUrl: string }

/** Has a bar if the length of the item is known. */
export type ItemProgress = { text: string; isComplete: boolean; bar?: { value: number; max: number } }

export function describeProgress(item: PublicRoomItem, { texts: { item: texts } }: RoomPageContext): ItemProgress {
  const { visitor, page_count, duration_seconds } = item
  const type = itemTypeOf(item)
  if (!visitor) return { text: texts.notOpened, isComplete: false }
  const isPlayed = type === 'video' || type === 'audio'
  if (visitor.progress >= 1) return { text: isPlayed ? texts.playedToEnd : texts.readToEnd, isComplete: true }
  if (isPlayed && duration_seconds) {
    const seconds = Math.round(visitor.progress * duration_seconds)
    const text = texts.watched(toClockTime(seconds), toClockTime(duration_seconds))
    return { text, isComplete: false, bar: { value: seconds, max: Math.round(duration_seconds) } }
  }
  if (type === 'pdf' && page_count) {
    const read = Math.round(visitor.progress * page_count)
    return { text: texts.pagesRead(read, page_count), isComplete: false, bar: { value: read, max: page_count } }
  }
  return { text: texts.opened, isComplete: false }
}

export function renderProgress(item: PublicRoomItem, place: Place, context: RoomPageContext): string {
  const { text, isComplete, bar } = describeProgress(item, context)
  const label = escapeHtml(text)
  if (isComplete)
    return `<div class="read"><span class="state good">${renderIcon(icons.checkedCircle, 16)}${label}</span></div>`
  if (!bar) return `<div class="read"><span${item.visitor ? '' : ' class="muted"'}>${label}</span></div>`
  const progress = attributes({ 'aria-label': context.texts.item.progressOf(item.title), ...bar })
  return `<div class="read"><progress${progress}></progress><span>${label}</span>${place.isFirst ? renderContinue(item, place, context) : ''}</div>`
}

/** Links to the page after the last one that was read. */
function renderContinue(item: PublicRoomItem, { viewerUrl }: Place, { texts }: RoomPageContext): string {
  const page = (item.visitor?.page ?? 0) + 1
  if (page === 1 || item.page_count === null || page > item.page_count) return ''
  return `<a class="button compact" href="${viewerUrl}?page=${page}">${escapeHtml(texts.item.continueOnPage(page))}</a>`
}
