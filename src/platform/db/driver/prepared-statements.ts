import { hash } from 'node:crypto'
import type { ClientBase } from 'pg'
import type { RowDecoder } from './row-decoder.ts'

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
