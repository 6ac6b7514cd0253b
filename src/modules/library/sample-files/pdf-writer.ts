import { deflateSync } from 'node:zlib'
import { type Canvas, createCanvas } from './pdf-canvas.ts'

export type PageSize = { width: number; height: number }
export type DrawPage = (canvas: Canvas, page: { number: number }) => void

const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
const [catalogNo, pageTreeNo, regularNo, boldNo, infoNo, firstPageNo] = [1, 2, 3, 4, 5, 6]

/** Writes a PDF with the standard fonts, which viewers have, so the file contains none. */
export function writePdf(title: string, { width, height }: PageSize, pages: readonly DrawPage[]): Buffer {
  const pageNos = pages.map((_, index) => firstPageNo + 2 * index)
  const objects: (string | Buffer)[] = [
    `<< /Type /Catalog /Pages ${pageTreeNo} 0 R >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${pageNos.map((no) => `${no} 0 R`).join(' ')}] >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title (${title.replace(/[\\()]/g, '\\$&')}) >>`,
    ...pages.flatMap((draw, index) => {
      const canvas = createCanvas(height)
      draw(canvas, { number: index + 1 })
      const content = deflateSync(Buffer.from(canvas.operators.join('\n'), 'latin1'))
      const fonts = `/F1 ${regularNo} 0 R /F2 ${boldNo} 0 R`
      return [
        `<< /Type /Page /Parent ${pageTreeNo} 0 R /MediaBox [0 0 ${width} ${height}] ` +
          `/Resources << /Font << ${fonts} >> >> /Contents ${pageNos[index]! + 1} 0 R >>`,
        toStream(content),
      ]
    }),
  ]
  return assemble(objects)
}

const toStream = (content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ])

function assemble(objects: readonly (string | Buffer)[]): Buffer {
  const chunks = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const offsets: number[] = []
  let position = chunks[0]!.length
  for (const [index, object] of objects.entries()) {
    const chunk = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      typeof object === 'string' ? Buffer.from(object, 'latin1') : object,
      Buffer.from('\nendobj\n'),
    ])
    offsets.push(position)
    chunks.push(chunk)
    position += chunk.length
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  chunks.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${entries}` +
        `trailer\n<< /Size ${size} /Root ${catalogNo} 0 R /Info ${infoNo} 0 R >>\nstartxref\n${position}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(chunks)
}
