/** Text runs and the ends of paragraphs, cells and rows. Deleted texts and field codes have other tags. */
const runs = /<(?:\w+:)?t(?:\s[^<>]*)?>([^<]*)<\/(?:\w+:)?t>|<\/(?:\w+:)?(?:p|si|c|row)>/g

/** Returns the text of a part of a Word, PowerPoint or Excel file. */
export function toOfficeText(xml: string): string {
  let text = ''
  for (const [, run] of xml.matchAll(runs)) text += run ?? ' '
  return decodeEntities(text)
}

const breaks = /<\/text:(?:p|h)>|<text:(?:s|tab|line-break)(?:\s[^<>]*)?\/>/g

export const toOpenDocumentText = (xml: string): string =>
  decodeEntities(
    xml
      .replace(/<\?[^<>]*>/g, '')
      .replace(breaks, ' ')
      .replace(/<[^<>]*>/g, ''),
  )

const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (_, hex, decimal, name) => {
    if (name) return names[name.toLowerCase()]!
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' '
  })
