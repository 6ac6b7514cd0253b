import { isAscii, isUtf8 } from 'node:buffer'

type DetectedEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** Encodings of files; those after the first four cannot be detected. */
export const csvEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'iso-8859-2',
  'iso-8859-15',
  'macintosh',
  'shift_jis',
  'euc-kr',
  'gb18030',
  'big5',
] as const
export type CsvEncoding = (typeof csvEncodings)[number]

export type TextSource = AsyncIterable<Uint8Array>

const sampleBytes = 65_536

/** Decodes bytes in chunks. ASCII is valid in UTF-8 and Windows-1252, so the first other character decides between them. */
export class TextDecoding {
  readonly #source: TextSource
  #encoding: CsvEncoding | undefined

  constructor(source: TextSource, encoding: CsvEncoding | undefined) {
    this.#source = source
    this.#encoding = encoding
  }

  get encoding(): CsvEncoding {
    return this.#encoding ?? 'utf-8'
  }

  async *chunks(): AsyncGenerator<string> {
    let decoder: InstanceType<typeof TextDecoder> | undefined
    let held = Buffer.alloc(0)
    for await (const chunk of resizeChunks(this.#source)) {
      let bytes = Buffer.concat([held, chunk])
      if (!decoder) this.#encoding ??= detectUtf16(bytes)
      const complete = this.#encoding ? bytes : withoutPartialEnd(bytes)
      if (!this.#encoding && !isAscii(complete)) this.#encoding = isUtf8(complete) ? 'utf-8' : 'windows-1252'
      held = this.#encoding ? Buffer.alloc(0) : bytes.subarray(complete.length)
      bytes = this.#encoding ? bytes : complete
      if (decoder?.encoding !== this.encoding) decoder = new TextDecoder(this.encoding, { fatal: true })
      yield decoder.decode(bytes, { stream: true })
    }
    if (held.length > 0) {
      this.#encoding = 'windows-1252'
      yield new TextDecoder(this.#encoding).decode(held)
    } else if (decoder) yield decoder.decode()
  }
}

/** Makes the first chunk large enough for a decision and no chunk large enough to use much memory. */
async function* resizeChunks(source: TextSource): AsyncGenerator<Buffer> {
  let pending: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    pending.push(chunk)
    length += chunk.length
    if (length < sampleBytes) continue
    yield* splitBytes(Buffer.concat(pending))
    pending = []
    length = 0
  }
  yield* splitBytes(Buffer.concat(pending))
}

function* splitBytes(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += sampleBytes) yield bytes.subarray(start, start + sampleBytes)
}

/** Files without a byte order mark are recognized by the zero bytes of their ASCII characters. */
function detectUtf16(bytes: Uint8Array): DetectedEncoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const pairs = Math.floor(bytes.length / 2)
  let [first, second] = [0, 0]
  for (let pair = 0; pair < pairs; pair++) {
    if (bytes[pair * 2] === 0) first++
    if (bytes[pair * 2 + 1] === 0) second++
  }
  if (second > pairs / 2 && first === 0) return 'utf-16le'
  return first > pairs / 2 && second === 0 ? 'utf-16be' : undefined
}

function withoutPartialEnd(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  let start = bytes.length - 1
  while (start > bytes.length - 4 && start > 0 && (bytes[start]! & 0xc0) === 0x80) start--
  const lead = bytes[start]!
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return start + length > bytes.length ? bytes.subarray(0, start) : bytes
}
