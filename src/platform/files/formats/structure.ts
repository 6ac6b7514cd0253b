import { createBoxReader } from './boxes.ts'
import type { FileTypeName } from './file-type.ts'

/** Large enough for the longest Ogg page and for the end record of a ZIP archive with its comment. */
const tailBytes = 65_536 + 22
const riffUnknownSizes = [0, 0xff_ff_ff_ff]

type FileEnds = { head: Buffer; tail: Buffer; size: number }

const completeness: Partial<Record<FileTypeName, (ends: FileEnds) => boolean>> = {
  pdf: ({ head, tail }) => head.subarray(0, 5).equals(Buffer.from('%PDF-')) && tail.includes('%%EOF'),
  png: ({ tail }) => tail.subarray(-12).equals(Buffer.from('0000000049454e44ae426082', 'hex')),
  jpg: ({ tail }) => tail.includes(Buffer.from('ffd9', 'hex')),
  gif: ({ tail }) => isGifEnd(tail),
  webp: ({ head, size }) => head.readUInt32LE(4) + 8 === size,
  wav: ({ head, size }) => riffUnknownSizes.includes(head.readUInt32LE(4)) || head.readUInt32LE(4) + 8 <= size,
  webm: ({ head, size }) => (webmEnd(head) ?? 0) <= size,
  ogg: ({ tail }) => isOggEnd(tail),
  mp3: ({ head, size }) => hasMpegFrames(head, size),
}

type StructureOptions = { textEncodings?: 'any' }

export function createStructureCheck(type: FileTypeName, head: Buffer, { textEncodings }: StructureOptions = {}) {
  const boxes = ['mp4', 'm4a', 'mov'].includes(type) ? createBoxReader() : undefined
  const isText = ['txt', 'md', 'csv'].includes(type)
  const decoder = isText && !textEncodings ? new TextDecoder('utf-8', { fatal: true }) : undefined
  let lastChunks: Buffer[] = []
  let kept = 0
  let size = 0
  let isValid = true

  return {
    update(chunk: Buffer): void {
      size += chunk.length
      lastChunks.push(chunk)
      kept += chunk.length
      while (kept - lastChunks[0]!.length >= tailBytes) kept -= lastChunks.shift()!.length
      boxes?.update(chunk)
      if (decoder && isValid) isValid = !chunk.includes(0) && decodes(decoder, chunk)
    },
    isComplete(): boolean {
      const tail = Buffer.concat(lastChunks).subarray(-tailBytes)
      lastChunks = []
      if (isText) return isValid && (!decoder || decodes(decoder))
      return !endsWithArchive(tail) && (boxes?.isComplete() ?? completeness[type]?.({ head, tail, size }) ?? true)
    },
  }
}

function decodes(decoder: InstanceType<typeof TextDecoder>, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined })
    return true
  } catch {
    return false
  }
}

function endsWithArchive(tail: Buffer): boolean {
  const end = tail.lastIndexOf('PK\x05\x06')
  return end >= 0 && end + 22 <= tail.length && end + 22 + tail.readUInt16LE(end + 20) === tail.length
}

function isGifEnd(tail: Buffer): boolean {
  let end = tail.length
  while (end > 0 && tail[end - 1] === 0) end -= 1
  return tail[end - 1] === 0x3b
}

function isOggEnd(tail: Buffer): boolean {
  const page = tail.lastIndexOf('OggS')
  if (page < 0 || page + 27 > tail.length) return false
  const segments = tail.subarray(page + 27, page + 27 + tail[page + 26]!)
  return page + 27 + segments.length + segments.reduce((sum, length) => sum + length, 0) === tail.length
}

/** Position after the segment; undefined if its size is not known, as in recordings of browsers. */
function webmEnd(head: Buffer): number | undefined {
  const header = readVint(head, 4)
  const segment = header && header.end + header.value
  if (!segment || head.subarray(segment, segment + 4).toString('hex') !== '18538067') return Number.POSITIVE_INFINITY
  const size = readVint(head, segment + 4)
  return size && size.value < 2 ** (7 * size.length) - 1 ? size.end + size.value : undefined
}

function readVint(bytes: Buffer, start: number): { value: number; length: number; end: number } | undefined {
  const length = Math.clz32(bytes[start] ?? 0) - 23
  if (length > 8 || start + length > bytes.length) return undefined
  let value = bytes[start]! & (0xff >> length)
  for (let index = 1; index < length; index += 1) value = value * 256 + bytes[start + index]!
  return { value, length, end: start + length }
}

const bitrates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const sampleRates = [44_100, 48_000, 32_000]

function hasMpegFrames(head: Buffer, size: number): boolean {
  const hasTag = head.toString('latin1', 0, 3) === 'ID3'
  const start = hasTag ? 10 + head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0) : 0
  if (start + 4 > head.length) return start + 4 <= size
  const length = frameLength(head, start)
  if (!length || start + length > size) return false
  return start + length + 4 > head.length || frameLength(head, start + length) !== undefined
}

function frameLength(head: Buffer, at: number): number | undefined {
  const [first, second, third] = [head[at]!, head[at + 1]!, head[at + 2]!]
  const isLayer3 = first === 0xff && (second & 0xe6) === 0xe2
  const version = (second >> 3) & 3
  const sampleRate = sampleRates[(third >> 2) & 3]
  const isVersion1 = version === 3
  const bitrate = bitrates[isVersion1 ? 1 : 2][third >> 4]
  if (!isLayer3 || version === 1 || !sampleRate || !bitrate) return undefined
  const rate = sampleRate / (isVersion1 ? 1 : version === 2 ? 2 : 4)
  return Math.floor(((isVersion1 ? 144 : 72) * bitrate * 1_000) / rate) + ((third >> 1) & 1)
}
