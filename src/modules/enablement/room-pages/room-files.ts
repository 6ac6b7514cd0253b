import { escapeHtml } from '#platform/html'
import type { PublicRoomItem } from '../room-visits/room-visits.schemas.ts'
import { englishTexts, type RoomPageTexts } from './texts/english-texts.ts'

export const attribute = (name: string, value: string) => ` ${name}="${escapeHtml(value)}"`
export const link = (url: string, text: string, more = '') =>
  `<a${attribute('href', url)} target="_blank" rel="noopener noreferrer"${more}>${escapeHtml(text)}</a>`

/** Returns nothing for files that only a program or the viewer of documents can show. */
export function renderMedia({ media_type, title, thumbnail_url }: PublicRoomItem, url: string): string {
  const source = attribute('src', url)
  const name = attribute('aria-label', title)
  if (media_type?.startsWith('image/')) return `<img class="content"${source}${attribute('alt', title)} loading="lazy">`
  if (media_type?.startsWith('video/')) {
    const poster = thumbnail_url ? attribute('poster', thumbnail_url) : ''
    return `<video${source}${name}${poster} controls preload="metadata" playsinline></video>`
  }
  if (media_type?.startsWith('audio/')) return `<audio${source}${name} controls preload="metadata"></audio>`
  return ''
}

export type ItemType = keyof RoomPageTexts['item']['types']

const typePatterns: [RegExp, ItemType][] = [
  [/^application\/pdf$/, 'pdf'],
  [/^image\//, 'image'],
  [/^video\//, 'video'],
  [/^audio\//, 'audio'],
  [/wordprocessingml|opendocument\.text/, 'document'],
  [/presentation/, 'presentation'],
  [/sheet/, 'spreadsheet'],
  [/^text\//, 'text'],
]

export const itemTypeOf = ({ media_type, link_url }: PublicRoomItem): ItemType =>
  media_type === null && link_url !== null
    ? 'link'
    : (typePatterns.find(([pattern]) => pattern.test(media_type ?? ''))?.[1] ?? 'file')

type FileTexts = { texts: Pick<RoomPageTexts, 'item'>; locale: string }

/** Describes a file by type, length and size. */
export function describeFile(
  item: PublicRoomItem,
  { texts: { item: texts }, locale }: FileTexts = { texts: englishTexts, locale: 'en' },
): string {
  const { page_count, duration_seconds, size_bytes } = item
  return [
    texts.types[itemTypeOf(item)],
    page_count === null ? '' : texts.pages(page_count),
    duration_seconds === null ? '' : texts.minutes(toClockTime(duration_seconds)),
    size_bytes === null ? '' : toReadableSize(size_bytes, locale),
  ]
    .filter(Boolean)
    .join(' · ')
}

export const toClockTime = (duration: number): string => {
  const seconds = Math.round(duration)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function toReadableSize(bytes: number, locale: string): string {
  const format = (value: number, unit: 'byte' | 'kilobyte' | 'megabyte', digits: number) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit,
      unitDisplay: unit === 'byte' ? 'long' : 'short',
      maximumFractionDigits: digits,
    }).format(value)
  if (bytes < 1_000) return format(bytes, 'byte', 0)
  return bytes < 1_000_000 ? format(bytes / 1_000, 'kilobyte', 0) : format(bytes / 1_000_000, 'megabyte', 1)
}
