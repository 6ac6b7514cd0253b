import { type FileTypeName, fileTypes } from './file-type.ts'

/** `zip` means that the directory of the archive decides; `text` that the extension decides among text types. */
export type DetectedType = { type: FileTypeName | 'zip' | 'text' } | { type: null; mediaType: string }

export const headBytes = 4_100

const typeByDetectedExtension: Record<string, FileTypeName> = {
  apng: 'png',
  m4v: 'mp4',
  oga: 'ogg',
  opus: 'ogg',
}
const zipSignature = Buffer.from('PK\x03\x04', 'latin1')
const unknown: DetectedType = { type: null, mediaType: 'application/octet-stream' }

export async function detectType(head: Buffer): Promise<DetectedType> {
  if (head.subarray(0, 4).equals(zipSignature)) return { type: 'zip' }
  const markup = detectMarkup(head)
  if (markup) return { type: null, mediaType: markup }
  const { fileTypeFromBuffer } = await import('file-type')
  const detected = await fileTypeFromBuffer(head)
  if (!detected) return isText(head) ? { type: 'text' } : unknown
  const name = typeByDetectedExtension[detected.ext] ?? detected.ext
  const isAccepted = Object.hasOwn(fileTypes, name) && !isTextType(name)
  return isAccepted ? { type: name as FileTypeName } : { type: null, mediaType: detected.mime }
}

const isTextType = (name: string) => ['txt', 'md', 'csv'].includes(name)

function detectMarkup(head: Buffer): string | undefined {
  const start = head
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
    .toLowerCase()
  if (start.startsWith('#!')) return 'application/x-sh'
  if (!/^<[a-z!?/%]/.test(start)) return undefined
  if (/^(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*(<!doctype svg[^>]*>\s*)?<svg/s.test(start)) return 'image/svg+xml'
  return start.startsWith('<?xml') ? 'application/xml' : 'text/html'
}

function isText(head: Buffer): boolean {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
