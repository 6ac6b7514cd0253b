import type { ClientBase } from 'pg'
import { bindAndExecute } from './wire.ts'

/** The statements that open a transaction. They answer without rows, so there is nothing to read past. */
const controlStatements = {
  begin: 'begin',
  read_only: `select where set_config('transaction_read_only', 'on', true) is null`,
  enter_tenant: `select where set_config('app.tenant_id', $1, true) is null`,
  read_in_tenant: `select where set_config('app.tenant_id', $1, true) is null
    or set_config('transaction_read_only', 'on', true) is null`,
}

/** What is sent ahead of the first statement, and how many answers it brings. */
export type Opening = { message: Buffer; statements: number }

/** How a transaction opens: with a plain read, or with anything else. */
export type Entry = { toRead: Opening; toWrite: Opening }

const begin = bindAndExecute('begin')

export const intoNoTenant: Entry = {
  toRead: { message: bindAndExecute('read_only'), statements: 1 },
  toWrite: { message: begin, statements: 1 },
}

const remembered = new Map<string, Entry>()
const maxRemembered = 10_000

export function intoTenant(tenantId: string): Entry {
  const known = remembered.get(tenantId)
  if (known) return known

  if (remembered.size >= maxRemembered) remembered.clear()
  const entry = {
    toRead: { message: bindAndExecute('read_in_tenant', tenantId), statements: 1 },
    toWrite: { message: Buffer.concat([begin, bindAndExecute('enter_tenant', tenantId)]), statements: 2 },
  }
  remembered.set(tenantId, entry)
  return entry
}

/** Running each of them once, to no effect, leaves them prepared on the connection. */
export async function prepareControlStatements(client: ClientBase): Promise<void> {
  for (const [name, text] of Object.entries(controlStatements)) {
    await client.query({ name, text, values: text.includes('$1') ? [''] : [] })
  }
  await client.query('rollback')
}
