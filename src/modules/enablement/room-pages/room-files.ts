import { escapeHtml } from '#platform/html'
import type { PublicRoomItem } from '../room-visits/room-visits.schemas.ts'

export const attribute = (name: string, value: string) => ` ${name}="${escapeHtml(value)}"`
export const link = (url: string, text: string, more = '') =>
  `<a${attribute('href', url)} target="_blank" rel="noopener noreferrer"${more}>${escapeHtml(text)}</a>`

/** Shows a picture, video or audio file, or the first page of a document, which a page of its own shows. */
export function renderFile(item: PublicRoomItem, viewerUrl: string): string {
  const media = item.url === null ? '' : renderMedia(item, item.url)
  const document = `${renderFirstPage(item, viewerUrl)}<p><a${attribute('href', viewerUrl)}>${escapeHtml(`Open ${item.title}`)}</a></p>`
  return `${media || document}<p class="details">${escapeHtml(describeFile(item))}</p>`
}

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

function renderFirstPage({ title, thumbnail_url }: PublicRoomItem, viewerUrl: string): string {
  if (!thumbnail_url) return ''
  const image = `<img${attribute('src', thumbnail_url)}${attribute('alt', `First page of ${title}`)} loading="lazy">`
  return `<a class="first-page"${attribute('href', viewerUrl)}>${image}</a>`
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
