import type { FileRow } from '../files.queries.ts'
import { isInlineType } from '../formats/file-type.ts'

export type ServedFile = Pick<FileRow, 'filename' | 'media_type' | 'sha256' | 'created_at'>

export const etagOf = ({ sha256 }: Pick<FileRow, 'sha256'>): string => `"${sha256.toString('hex').slice(0, 32)}"`

const policy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

/** Keeps browsers from running the content of a file, whatever it contains. The PDF viewers of browsers do not work in a sandbox. */
export function fileHeaders(file: ServedFile, disposition: 'inline' | 'attachment', cacheControl: string) {
  const type = file.media_type.startsWith('text/') ? `${file.media_type}; charset=utf-8` : file.media_type
  const isInline = disposition === 'inline' && isInlineType(file.media_type)
  return {
    'content-type': type,
    'content-disposition': contentDisposition(isInline ? 'inline' : 'attachment', file.filename),
    'content-security-policy': file.media_type === 'application/pdf' ? policy : `${policy}; sandbox`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'cross-origin-resource-policy': 'same-site',
    'cache-control': cacheControl,
    'accept-ranges': 'bytes',
    'last-modified': file.created_at.toUTCString(),
    etag: etagOf(file),
  }
}

function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
