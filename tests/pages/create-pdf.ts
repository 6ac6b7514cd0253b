const [left, top, fontSize, lineHeight] = [72, 720, 16, 24]

/** Creates a PDF of text pages in US Letter. Characters outside ASCII become question marks. */
export function createPdf(pages: readonly (readonly string[])[]): Buffer {
  const pageNumber = (index: number) => 4 + 2 * index
  const kids = pages.map((_, index) => `${pageNumber(index)} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((lines, index) => {
      const content = toContentStream(lines)
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${pageNumber(index) + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  return Buffer.from(toFile(objects), 'ascii')
}

function toContentStream(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${escapeText(line)}) Tj T*`).join('\n')
  return `BT /F1 ${fontSize} Tf ${lineHeight} TL ${left} ${top} Td\n${shown}\nET`
}

const escapeText = (text: string) => text.replace(/[^ -~]/g, '?').replace(/[\\()]/g, '\\$&')

/** The table at the end names the position of every object. */
function toFile(objects: readonly string[]): string {
  let file = '%PDF-1.4\n'
  const positions = objects.map((object, index) => {
    const position = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return position
  })
  const entries = positions.map((position) => `${String(position).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  return `${file}xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
}
