import { hash } from 'node:crypto'
import type { ClientBase } from 'pg'
import type { RowDecoder } from './row-decoder.ts'

const maxPerConnection = 500
const maxNames = 5_000

/** A prepared statement of one connection. The decoder is set after the first run; the columns cannot change afterwards. */
export type PreparedStatement = { name: string; decoder?: RowDecoder }

type StatementCache = { statements: Map<string, PreparedStatement>; namesToClose: string[] }
const cacheByClient = new WeakMap<ClientBase, StatementCache>()

export function getPreparedStatement(client: ClientBase, text: string): PreparedStatement {
  const { statements, namesToClose } = cacheOf(client)
  const cached = statements.get(text)
  if (cached) statements.delete(text)
  const statement = cached ?? { name: statementNameOf(text) }
  statements.set(text, statement)
  for (const [oldest, { name }] of statements) {
    if (statements.size <= maxPerConnection) break
    statements.delete(oldest)
    namesToClose.push(name)
  }
  return statement
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

const nameByText = new Map<string, string>()

function statementNameOf(text: string): string {
  const cached = nameByText.get(text)
  if (cached) return cached
  if (nameByText.size >= maxNames) nameByText.clear()
  const name = hash('sha256', text, 'base64url').slice(0, 22)
  nameByText.set(text, name)
  return name
}

function cacheOf(client: ClientBase): StatementCache {
  const existing = cacheByClient.get(client)
  if (existing) return existing
  const cache: StatementCache = { statements: new Map(), namesToClose: [] }
  cacheByClient.set(client, cache)
  return cache
}
