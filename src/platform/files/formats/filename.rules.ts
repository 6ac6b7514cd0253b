import { trimEndOf, trimStartOf } from '#platform/text'
import { findTypeByExtension } from './file-type.ts'

const maxBytes = 180
/** Control, format (such as bidirectional overrides), surrogate and private-use characters, and separators of paths. */
const forbidden = /[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu

export const extensionOf = (filename: string): string =>
  /\.([A-Za-z0-9]{1,10})\s*$/.exec(filename)?.[1]?.toLowerCase() ?? ''

export function toSafeFilename(filename: string, extension: string): string {
  const allowed = filename.slice(0, 2_000).normalize('NFC').replace(forbidden, '').replace(/\s+/g, ' ')
  const cleaned = trimEndOf(trimStartOf(allowed, /[.~\s]/), /[.\s]/)
  const known = extensionOf(cleaned)
  const base = known && findTypeByExtension(known) ? cleaned.slice(0, -(known.length + 1)) : cleaned
  return `${truncate(trimEndOf(base, /[.\s]/), maxBytes - extension.length - 1) || 'file'}.${extension}`
}

function truncate(text: string, bytes: number): string {
  let size = 0
  let end = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    size += Buffer.byteLength(segment)
    if (size > bytes) break
    end += segment.length
  }
  return text.slice(0, end).trimEnd()
}
