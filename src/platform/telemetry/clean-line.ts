const secretKey =
  /pass(word|wd|phrase)|secret|token|authori[sz]ation|cookie|credential|(api|private|signing|access)[-_]?keys?|signature|bearer|(^|_)otp/i
/** What people send is not for the log, whatever is in it. */
const contentKey = /^(raw_?)?(headers|trailers|body|query|query_?string|params|url|original_?url|href|payload)$/i

const secretTexts: [RegExp, string][] = [
  [/(\w:\/\/)[^\s/@]+@/g, '$1[redacted]@'],
  [/\b(bearer|basic|apikey)\s+[\w.~+/=-]{16,}/gi, '$1 [redacted]'],
  [/\bsvc_\w+/g, '[redacted]'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[redacted]'],
  [
    /\b(\w*(?:password|passwd|secret|token|cookie|authorization|api_?key)["']?\s*[:=]\s*["']?)[^\s"',;&})]+/gi,
    '$1[redacted]',
  ],
  // 32 random bytes or more, as tokens in links are.
  [/(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?=[\w-]*\d)[\w-]{43,}/g, '[redacted]'],
  [/\?[^\s"'?=&]+=[^\s"']*/g, '?[redacted]'],
  [/\b(ECONN[A-Z]+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH) \S+/g, '$1 [host]'],
  [/\bRoute ([A-Z]+):\S+ not found/g, 'Route not found: $1'],
]
/** A quick look that spares most texts the slow ones above. */
const worthALook = /[@?=:]|svc_|eyJ|bearer|basic|apikey|\bE[A-Z]{4}/i
const email = /[\p{L}\p{N}._%+'-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+/gu

const maxCharacters = 8_192
const maxDepth = 12

/** The last gate every log line passes, however it came about: secrets do not get through, nor addresses of people above debug. */
export function cleanLine(line: string): string {
  try {
    const entry = JSON.parse(line)
    const keepsEmails = entry.level === 'debug' || entry.level === 'trace'
    return `${JSON.stringify(clean(entry, keepsEmails, 0))}\n`
  } catch {
    return '{"level":"error","msg":"A log line could not be read, and was dropped"}\n'
  }
}

export function cleanText(text: string, keepsEmails = false): string {
  let cleaned = shortened(text)
  if (cleaned.length < 43 && !worthALook.test(cleaned)) return cleaned
  for (const [pattern, replacement] of secretTexts) cleaned = cleaned.replace(pattern, replacement)
  return keepsEmails || !cleaned.includes('@') ? cleaned : cleaned.replace(email, '[email]')
}

/** Cut between words, since half a token would not be known for one. */
function shortened(text: string): string {
  if (text.length <= maxCharacters) return text
  const start = text.slice(0, maxCharacters)
  return `${start.slice(0, start.lastIndexOf(' ') + 1)}…`
}

function clean(value: unknown, keepsEmails: boolean, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value, keepsEmails)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return '[too deep]'
  if (Array.isArray(value)) return value.map((item) => clean(item, keepsEmails, depth + 1))
  const shown: Record<string, unknown> = Object.create(null)
  for (const [key, held] of Object.entries(value)) shown[key] = hidden(key, held) ?? clean(held, keepsEmails, depth + 1)
  return shown
}

/** Whether there is a secret may be known: null, true and false stay. */
function hidden(key: string, value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined
  if (secretKey.test(key)) return '[redacted]'
  return contentKey.test(key) ? '[omitted]' : undefined
}
