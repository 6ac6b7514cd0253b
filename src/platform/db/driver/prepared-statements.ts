import { hash } from 'node:crypto'
import type { ClientBase } from 'pg'
import pg from 'pg'

type Decode = (text: string) => unknown
type Field = { name: string; dataTypeID: number }

export type RowDecoder = { names: string[]; decoders: Decode[]; blank: Record<string, null> }

export function createRowDecoder(fields: Field[]): RowDecoder {
  const names = fields.map(({ name }) => name)
  return {
    names,
    decoders: fields.map(({ dataTypeID }) => decoderOf(dataTypeID)),
    blank: Object.fromEntries(names.map((name) => [name, null])),
  }
}

export function decodeRow({ names, decoders, blank }: RowDecoder, values: (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = { ...blank }
  for (let column = 0; column < values.length; column++) {
    const value = values[column]
    if (value != null) row[names[column]!] = decoders[column]!(value)
  }
  return row
}

const asText: Decode = (text) => text

/** Type OIDs decoded differently from pg's defaults: bigint as a number, date as text, timestamptz faster. */
const decoderByOid = new Map<number, Decode>([
  [20, decodeInteger],
  [25, asText],
  [1043, asText],
  [2950, asText],
  [1082, asText],
  [1184, decodeTimestamp],
])

const decoderOf = (oid: number): Decode => decoderByOid.get(oid) ?? (pg.types.getTypeParser(oid, 'text') as Decode)

/** Type parsers for plain `client.query()` calls, so that they return the same values. */
export const columnTypes = { getTypeParser: decoderOf } as unknown as pg.CustomTypesConfig

function decodeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit into a number. Select it as text.`)
  return value
}

const decodeAnyTimestamp = pg.types.getTypeParser(1184, 'text') as Decode

/** Parses `2026-03-01 09:30:00.123456+00`, the usual form in UTC; leaves all others to pg. */
function decodeTimestamp(text: string): unknown {
  if (text.length < 22 || text.length > 29 || !text.endsWith('+00') || text.charCodeAt(4) !== 45)
    return decodeAnyTimestamp(text)
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
}

const maxPerConnection = 500
const maxTextLength = 20_000

/**
 * A statement of one connection; without a name it is parsed again on every run.
 * The decoder is set after the first run; the columns cannot change afterwards.
 */
export type PreparedStatement = { name: string; decoder?: RowDecoder }

type StatementCache = { statements: Map<string, PreparedStatement>; usedOnce: Set<string>; namesToClose: string[] }
const cacheByClient = new WeakMap<ClientBase, StatementCache>()

/** Names a statement on its second use, so that texts used once, such as rules of users, do not evict the others. */
export function getPreparedStatement(client: ClientBase, text: string): PreparedStatement {
  const { statements, usedOnce, namesToClose } = cacheOf(client)
  const statement = statements.get(text) ?? { name: nameOnSecondUse(usedOnce, text) }
  if (!statement.name) return statement
  statements.delete(text)
  statements.set(text, statement)
  for (const [oldest, { name }] of statements) {
    if (statements.size <= maxPerConnection) break
    statements.delete(oldest)
    namesToClose.push(name)
  }
  return statement
}

function nameOnSecondUse(usedOnce: Set<string>, text: string): string {
  if (text.length > maxTextLength) return ''
  const name = hash('sha256', text, 'base64url').slice(0, 22)
  if (usedOnce.delete(name)) return name
  usedOnce.add(name)
  for (const oldest of usedOnce) {
    if (usedOnce.size <= maxPerConnection) break
    usedOnce.delete(oldest)
  }
  return ''
}

export function takeStatementsToClose(client: ClientBase): string[] {
  const { namesToClose } = cacheOf(client)
  return namesToClose.length ? namesToClose.splice(0) : namesToClose
}

export function discardPreparedStatements(client: ClientBase): void {
  const { statements, namesToClose } = cacheOf(client)
  for (const { name } of statements.values()) namesToClose.push(name)
  statements.clear()
}

/** True if a migration changed the columns of a prepared statement, or the server no longer has it. */
export function isStaleStatement(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string }
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery')
}

function cacheOf(client: ClientBase): StatementCache {
  const existing = cacheByClient.get(client)
  if (existing) return existing
  const cache: StatementCache = { statements: new Map(), usedOnce: new Set(), namesToClose: [] }
  cacheByClient.set(client, cache)
  return cache
}
