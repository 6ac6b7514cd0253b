import { escapeHtml } from '#platform/html'
import type { PublicRoomItem } from '../room-visits/room-visits.schemas.ts'

export const attribute = (name: string, value: string) => ` ${name}="${escapeHtml(value)}"`
export const link = (url: string, text: string, more = '') =>
  `<a${attribute('href', url)} target="_blank" rel="noopener noreferrer"${more}>${escapeHtml(text)}</a>`

/** Shows a file in the page if browsers can, and says what it is. */
export function renderFile(item: PublicRoomItem, url: string): string {
  return `${renderContent(item, url)}<p class="details">${escapeHtml(describeFile(item))}</p>`
}

function renderContent({ media_type, title, thumbnail_url }: PublicRoomItem, url: string): string {
  const source = attribute('src', url)
  const name = attribute('aria-label', title)
  const opening = `<p>${link(url, `Open ${title}`)}</p>`
  if (media_type === 'application/pdf')
    return `<iframe${source}${attribute('title', title)} loading="lazy"></iframe>${renderFirstPage(title, url, thumbnail_url)}${opening}`
  if (media_type?.startsWith('image/')) return `<img${source}${attribute('alt', title)} loading="lazy">`
  if (media_type?.startsWith('video/')) {
    const poster = thumbnail_url ? attribute('poster', thumbnail_url) : ''
    return `<video${source}${name}${poster} controls preload="metadata" playsinline></video>`
  }
  if (media_type?.startsWith('audio/')) return `<audio${source}${name} controls preload="metadata"></audio>`
  return opening
}

function renderFirstPage(title: string, url: string, thumbnailUrl: string | null): string {
  if (!thumbnailUrl) return ''
  const image = `<img${attribute('src', thumbnailUrl)}${attribute('alt', `First page of ${title}`)} loading="lazy">`
  return `<a class="first-page"${attribute('href', url)} target="_blank" rel="noopener noreferrer">${image}</a>`
}

const typeNames: [RegExp, string][] = [
  [/^application\/pdf$/, 'PDF'],
  [/^image\//, 'Image'],
  [/^video\//, 'Video'],
  [/^audio\//, 'Audio'],
  [/wordprocessingml|opendocument\.text/, 'Document'],
  [/presentation/, 'Presentation'],
  [/sheet/, 'Spreadsheet'],
  [/^text\//, 'Text'],
]

export function describeFile({ media_type, page_count, duration_seconds, size_bytes }: PublicRoomItem): string {
  const type = typeNames.find(([pattern]) => pattern.test(media_type ?? ''))?.[1] ?? 'File'
  return [
    type,
    page_count === null ? '' : page_count === 1 ? '1 page' : `${page_count} pages`,
    duration_seconds === null ? '' : toClockTime(duration_seconds),
    size_bytes === null ? '' : toReadableSize(size_bytes),
  ]
    .filter(Boolean)
    .join(' · ')
}

const toClockTime = (duration: number): string => {
  const seconds = Math.round(duration)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`
}

const toReadableSize = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
