import { type FileTypeName, fileTypes } from './file-type.ts'
import { detectMarkup } from './markup.rules.ts'

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
const unknown = { type: null, mediaType: 'application/octet-stream' } as const

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

const maxControlShare = 0.1

/** Files of an unknown type count as text unless many of their characters are control characters. */
export function isTextInAnyEncoding(detected: DetectedType, head: Buffer): boolean {
  if (detected.type === 'text') return true
  // Only two letters identify a bitmap, and texts can begin with them.
  if (detected.type === null && detected.mediaType === 'image/bmp') return isText(head)
  if (detected.type !== null || detected.mediaType !== unknown.mediaType) return false
  const bytes = isUtf16(head) ? head.filter((byte) => byte !== 0) : head
  return bytes.filter(isControl).length <= bytes.length * maxControlShare
}

const isControl = (byte: number) => byte < 32 && ![9, 10, 13].includes(byte)

function isUtf16(head: Buffer): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true
  const isZeroAt = (rest: number) => (byte: number, index: number) => index % 2 === rest && byte === 0
  const [even, odd] = [head.filter(isZeroAt(0)).length, head.filter(isZeroAt(1)).length]
  return Math.max(even, odd) > head.length / 4 && Math.min(even, odd) === 0
}

const isTextType = (name: string) => ['txt', 'md', 'csv'].includes(name)

function isText(head: Buffer): boolean {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
