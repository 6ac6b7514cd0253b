const maxLength = 4_100
const maxComments = 10

export function detectMarkup(content: Buffer): string | undefined {
  const start = toStart(content)
  if (start.startsWith('#!')) return 'application/x-sh'
  if (!/^<[a-z!?/%]/.test(start)) return undefined
  if (startsWithSvg(start)) return 'image/svg+xml'
  return start.startsWith('<?xml') ? 'application/xml' : 'text/html'
}

export const isSvg = (content: Buffer): boolean => startsWithSvg(toStart(content))

function toStart(content: Buffer): string {
  const text = content.subarray(0, maxLength).toString('latin1').toLowerCase()
  return (text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text).trimStart()
}

/** Scans by hand, because a regular expression for comments in a row tries every way to divide them. */
function startsWithSvg(start: string): boolean {
  let rest = start.startsWith('<?xml') ? skipPast(start, '>') : start
  for (let comments = 0; rest.startsWith('<!--'); comments++) {
    if (comments === maxComments) return false
    rest = skipPast(rest.slice(4), '-->')
  }
  if (rest.startsWith('<!doctype svg')) rest = skipPast(rest, '>')
  return /^<svg[\s/>]/.test(rest)
}

function skipPast(text: string, mark: string): string {
  const end = text.indexOf(mark)
  return end < 0 ? '' : text.slice(end + mark.length).trimStart()
}
