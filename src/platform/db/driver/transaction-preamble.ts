import type { ClientBase } from 'pg'
import { bindAndExecute } from './protocol-messages.ts'

/** Statements that open a transaction. They return no rows, so the client has no result to skip. */
const controlStatements = {
  begin: 'begin',
  read_only: `select where set_config('transaction_read_only', 'on', true) is null`,
  enter_tenant: `select where set_config('app.tenant_id', $1, true) is null`,
  read_in_tenant: `select where set_config('app.tenant_id', $1, true) is null
    or set_config('transaction_read_only', 'on', true) is null`,
}

export type Preamble = { message: Buffer; statements: number }

export type TransactionPreambles = { readOnly: Preamble; readWrite: Preamble }

const begin = bindAndExecute('begin')

export const preamblesWithoutTenant: TransactionPreambles = {
  readOnly: { message: bindAndExecute('read_only'), statements: 1 },
  readWrite: { message: begin, statements: 1 },
}

const preamblesByTenant = new Map<string, TransactionPreambles>()
const maxCached = 10_000

export function preamblesForTenant(tenantId: string): TransactionPreambles {
  const cached = preamblesByTenant.get(tenantId)
  if (cached) return cached

  if (preamblesByTenant.size >= maxCached) preamblesByTenant.clear()
  const preambles = {
    readOnly: { message: bindAndExecute('read_in_tenant', tenantId), statements: 1 },
    readWrite: { message: Buffer.concat([begin, bindAndExecute('enter_tenant', tenantId)]), statements: 2 },
  }
  preamblesByTenant.set(tenantId, preambles)
  return preambles
}

/** Runs each control statement once without effect, which leaves it prepared on the connection. */
export async function prepareControlStatements(client: ClientBase): Promise<void> {
  for (const [name, text] of Object.entries(controlStatements)) {
    await client.query({ name, text, values: text.includes('$1') ? [''] : [] })
  }
  await client.query('rollback')
}
