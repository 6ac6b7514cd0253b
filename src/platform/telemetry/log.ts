import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from '#platform/config'
import { openStandardOutput } from './buffered-output.ts'
import { serializeError, serializeRequest, serializeResponse } from './serializers.ts'
import { readLogFields } from './trace-context.ts'

const secretKey =
  /pass(word|wd|phrase)|secret|token|authori[sz]ation|cookie|credential|(api|private|signing|access)[-_]?keys?|signature|bearer|(^|_)otp/i
const contentKey = /^(raw_?)?(headers|trailers|body|query|query_?string|params|url|original_?url|href|payload)$/i

const secretPatterns: [RegExp, string][] = [
  [/(\w:\/\/)[^\s/@]+@/g, '$1[redacted]@'],
  [/\b(bearer|basic|apikey)\s+[\w.~+/=-]{16,}/gi, '$1 [redacted]'],
  [/\bsvc_\w+/g, '[redacted]'],
  [/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[redacted]'],
  [
    /\b(\w*(?:password|passwd|secret|token|cookie|authorization|api_?key)["']?\s*[:=]\s*["']?)[^\s"',;&})]+/gi,
    '$1[redacted]',
  ],
  // Base64url of 32 or more random bytes, such as tokens in links.
  [/(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?=[\w-]*\d)[\w-]{43,}/g, '[redacted]'],
  [/\?[^\s"'?=&]+=[^\s"']*/g, '?[redacted]'],
  [/\b(ECONN[A-Z]+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH) \S+/g, '$1 [host]'],
  [/\bRoute ([A-Z]+):\S+ not found/g, 'Route not found: $1'],
]
const maybeSecret = /[@?=:]|svc_|eyJ|bearer|basic|apikey|\bE[A-Z]{4}/i
const email = /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+/gu

const maxLength = 8_192
const maxDepth = 12

/** Redacts secrets in every log line, and email addresses above the debug level. */
function redactLogLine(line: string): string {
  try {
    const entry = JSON.parse(line)
    const keepsEmails = entry.level === 'debug' || entry.level === 'trace'
    return `${JSON.stringify(redact(entry, keepsEmails, 0))}\n`
  } catch {
    return '{"level":"error","msg":"dropped a log line that is not valid JSON"}\n'
  }
}

export function redactText(text: string, keepsEmails = false): string {
  let redacted = truncate(text)
  if (redacted.length < 43 && !maybeSecret.test(redacted)) return redacted
  for (const [pattern, replacement] of secretPatterns) redacted = redacted.replace(pattern, replacement)
  return keepsEmails || !redacted.includes('@') ? redacted : redacted.replace(email, '[email]')
}

/** Cuts at a word boundary, because half a token would not match the patterns. */
function truncate(text: string): string {
  if (text.length <= maxLength) return text
  const start = text.slice(0, maxLength)
  return `${start.slice(0, start.lastIndexOf(' ') + 1)}…`
}

function redact(value: unknown, keepsEmails: boolean, depth: number): unknown {
  if (typeof value === 'string') return redactText(value, keepsEmails)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return '[too deep]'
  if (Array.isArray(value)) return value.map((item) => redact(item, keepsEmails, depth + 1))
  const result: Record<string, unknown> = Object.create(null)
  for (const [key, field] of Object.entries(value))
    result[key] = redactedValue(key, field) ?? redact(field, keepsEmails, depth + 1)
  return result
}

/** Keeps null and booleans, which only say whether a secret exists. */
function redactedValue(key: string, value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined
  if (secretKey.test(key)) return '[redacted]'
  return contentKey.test(key) ? '[omitted]' : undefined
}

export type Log = Logger

const fixedShapeLogs = new WeakMap<object, Log>()

export function createLogger(
  { LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>,
  destination: DestinationStream = openStandardOutput(),
): Log {
  const options = {
    level: LOG_LEVEL,
    base: { service: 'tributary', pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    serializers: { req: serializeRequest, res: serializeResponse, err: serializeError, error: serializeError },
    mixin: readLogFields,
  }
  const log = pino({ ...options, hooks: { streamWrite: redactLogLine } }, destination)
  fixedShapeLogs.set(log, pino(options, destination))
  return log
}

export type CompletedRequest = {
  req: { method: string; routeOptions: { url?: string } }
  res: { statusCode: number }
  tenant_id: string | undefined
  ms: number
  client_disconnected?: true
}

/** Skips the search for secrets, because only the request id, which the client can choose, may contain one. */
export function logCompletedRequest(log: object, requestId: string, fields: CompletedRequest): void {
  fixedShapeLogs.get(log)?.info({ reqId: redactText(requestId), ...fields }, 'request completed')
}
