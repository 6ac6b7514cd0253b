import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex')
const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const uint32LE = (value: number) => uint32(value).reverse()
export const box = (name: string, content: Buffer = Buffer.alloc(0)) =>
  Buffer.concat([uint32(content.length + 8), Buffer.from(name), content])
const riff = (kind: string, content: Buffer) =>
  Buffer.concat([Buffer.from('RIFF'), uint32LE(content.length + 4), Buffer.from(kind), content])
const pngChunk = (name: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(name), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}
const movie = (brand: string) =>
  Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\0\0${brand}`)),
    box('moov', box('mvhd', Buffer.alloc(100))),
    box('mdat', Buffer.alloc(500)),
  ])
const mpegFrame = Buffer.concat([hex('fffb9064'), Buffer.alloc(413)])
const oggPage = Buffer.concat([
  Buffer.from('OggS'),
  hex('00 06 0000000000000000 01000000 00000000 00000000 01 1e'),
  Buffer.from('\x01vorbis', 'latin1'),
  Buffer.alloc(23),
])

type Entry = {
  name: string
  content?: Buffer | string
  method?: 0 | 8
  flags?: number
  mode?: number
  size?: number
  offset?: number
}

/** Creates an archive; the options of entries and of the end record falsify it. */
export function createZip(entries: Entry[], { comment = '', entryCount = entries.length, prefix = '' } = {}): Buffer {
  const locals: Buffer[] = [Buffer.from(prefix)]
  const directory: Buffer[] = []
  let position = prefix.length
  for (const { name, content = '', method = 8, flags = 0, mode = 0, size, offset } of entries) {
    const bytes = Buffer.from(content)
    const data = method === 8 ? deflateRawSync(bytes) : bytes
    const nameBytes = Buffer.from(name, 'latin1')
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(size ?? bytes.length, 18)
    common.writeUInt16LE(nameBytes.length, 22)
    const end = Buffer.alloc(14)
    end.writeUInt16LE(mode, 8)
    end.writeUInt32LE(offset ?? position, 10)
    directory.push(Buffer.concat([hex('504b01021400'), common, end, nameBytes]))
    const local = Buffer.concat([hex('504b0304'), common, nameBytes, data])
    locals.push(local)
    position += local.length
  }
  const directoryBytes = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entryCount, 4)
  end.writeUInt16LE(entryCount, 6)
  end.writeUInt32LE(directoryBytes.length, 8)
  end.writeUInt32LE(position, 12)
  end.writeUInt16LE(comment.length, 16)
  return Buffer.concat([...locals, directoryBytes, hex('504b0506'), end, Buffer.from(comment)])
}

const office = 'application/vnd.openxmlformats-officedocument'
const mainTypes = {
  docx: `${office}.wordprocessingml.document.main+xml`,
  pptx: `${office}.presentationml.presentation.main+xml`,
  xlsx: `${office}.spreadsheetml.sheet.main+xml`,
}
export const contentTypes = (...types: string[]): Entry => ({
  name: '[Content_Types].xml',
  content: `<?xml version="1.0"?><Types>${types.map((type) => `<Override PartName="/x.xml" ContentType="${type}"/>`).join('')}</Types>`,
})
export const officeFile = (kind: keyof typeof mainTypes, more: Entry[] = []) =>
  createZip([contentTypes(mainTypes[kind]), { name: '_rels/.rels', content: '<Relationships/>' }, ...more])
export const openDocument = (kind: string, more: Entry[] = []) =>
  createZip([
    { name: 'mimetype', content: `application/vnd.oasis.opendocument.${kind}`, method: 0 },
    { name: 'content.xml', content: '<office:document-content/>' },
    ...more,
  ])

export const png = Buffer.concat([
  hex('89504e470d0a1a0a'),
  pngChunk('IHDR', hex('00000001 00000001 08 02 000000')),
  pngChunk('IDAT', deflateSync(hex('00ff0000'))),
  pngChunk('IEND', Buffer.alloc(0)),
])
export const gif = Buffer.concat([
  Buffer.from('GIF89a'),
  hex('0100 0100 80 00 00 000000 ffffff 2c 0000 0000 0100 0100 00 02 02 44 01 00 3b'),
])
export const jpg = Buffer.concat([hex('ffd8ffe000104a46494600010100000100010000'), Buffer.alloc(200, 1), hex('ffd9')])
export const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')
export const mp4 = movie('isom')
export const webm = Buffer.concat([
  hex('1a45dfa3 87 4282 84'),
  Buffer.from('webm'),
  hex('18538067 01ffffffffffffff'),
  Buffer.alloc(64),
])
export const wav = riff(
  'WAVE',
  Buffer.concat([
    Buffer.from('fmt '),
    uint32LE(16),
    Buffer.alloc(16),
    Buffer.from('data'),
    uint32LE(8),
    Buffer.alloc(8),
  ]),
)
export const mp3 = Buffer.concat([mpegFrame, mpegFrame, mpegFrame])

/** Minimal valid files with the type that is detected. */
export const sampleFiles: [filename: string, content: Buffer, mediaType: string][] = [
  ['a.pdf', pdf, 'application/pdf'],
  ['a.png', png, 'image/png'],
  ['a.jpeg', jpg, 'image/jpeg'],
  ['a.gif', gif, 'image/gif'],
  ['a.webp', riff('WEBP', Buffer.concat([Buffer.from('VP8 '), uint32LE(10), Buffer.alloc(10)])), 'image/webp'],
  ['a.mp4', mp4, 'video/mp4'],
  ['a.mov', movie('qt  '), 'video/quicktime'],
  ['a.m4a', movie('M4A '), 'audio/mp4'],
  ['a.webm', webm, 'video/webm'],
  ['a.wav', wav, 'audio/wav'],
  ['a.mp3', mp3, 'audio/mpeg'],
  ['a.ogg', oggPage, 'audio/ogg'],
  ['a.docx', officeFile('docx'), `${office}.wordprocessingml.document`],
  ['a.pptx', officeFile('pptx'), `${office}.presentationml.presentation`],
  ['a.xlsx', officeFile('xlsx'), `${office}.spreadsheetml.sheet`],
  ['a.odt', openDocument('text'), 'application/vnd.oasis.opendocument.text'],
  ['a.ods', openDocument('spreadsheet'), 'application/vnd.oasis.opendocument.spreadsheet'],
  ['a.txt', Buffer.from('plain text, ünïcode'), 'text/plain'],
  ['a.md', Buffer.from('# Title\n\n<b>not at the start</b>'), 'text/markdown'],
  ['a.csv', Buffer.from('\ufeffname,amount\nAcme,1\n'), 'text/csv'],
]
