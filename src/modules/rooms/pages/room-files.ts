import type { PublicRoomItem } from '../visits/visits.schemas.ts'
import type { RoomPageTexts } from './texts/english-texts.ts'

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
export function describeFile(item: PublicRoomItem, { texts: { item: texts }, locale }: FileTexts): string {
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
