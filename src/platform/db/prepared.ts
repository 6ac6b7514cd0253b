import { hash } from 'node:crypto'
import type { ClientBase } from 'pg'
import type { RowShape } from './rows.ts'

const maxPerConnection = 500
const maxNames = 5_000

/** A statement as one connection holds it. Its columns are known once it has run there, and cannot change while it is held. */
export type Prepared = { name: string; shape?: RowShape }

/** What a connection holds, least recently used first, and what it is to close with its next message. */
type Held = { statements: Map<string, Prepared>; closing: string[] }
const heldBy = new WeakMap<ClientBase, Held>()

/** The statement of this text on this connection, now the most recently used one. */
export function prepared(client: ClientBase, text: string): Prepared {
  const { statements, closing } = held(client)
  const known = statements.get(text)
  if (known) statements.delete(text)
  const statement = known ?? { name: nameOf(text) }
  statements.set(text, statement)
  for (const [oldest, { name }] of statements) {
    if (statements.size <= maxPerConnection) break
    statements.delete(oldest)
    closing.push(name)
  }
  return statement
}

/** The statements to close, handed over once. */
export function takeClosing(client: ClientBase): string[] {
  const { closing } = held(client)
  return closing.length ? closing.splice(0) : closing
}

/** Everything is prepared anew when it is next used. */
export function forgetStatements(client: ClientBase): void {
  const { statements, closing } = held(client)
  for (const { name } of statements.values()) closing.push(name)
  statements.clear()
}

/** A migration changed the columns of a prepared statement, or the statement is no longer there. */
export function isStaleStatement(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string }
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery')
}

const names = new Map<string, string>()

/** A name made from the text, so that every connection and every process agrees on it. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  if (names.size >= maxNames) names.clear()
  const name = hash('sha256', text, 'base64url').slice(0, 22)
  names.set(text, name)
  return name
}

function held(client: ClientBase): Held {
  const known = heldBy.get(client)
  if (known) return known
  const fresh: Held = { statements: new Map(), closing: [] }
  heldBy.set(client, fresh)
  return fresh
}
