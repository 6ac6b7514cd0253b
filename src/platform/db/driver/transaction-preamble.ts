import type { ClientBase } from 'pg'

const execute = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0])
const sync = Buffer.from([0x53, 0, 0, 0, 4])

export const executeAndSync = Buffer.concat([execute, sync])
export const describePortal = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0])

/** Builds Bind and Execute for a prepared statement with at most one value; the Sync follows with a later message. */
export function bindAndExecute(statement: string, value?: string): Buffer {
  const name = Buffer.from(`\0${statement}\0`)
  const values = value === undefined ? [int16(0)] : [int16(1), int32(Buffer.byteLength(value)), Buffer.from(value)]
  const body = Buffer.concat([name, int16(0), ...values, int16(0)])
  return Buffer.concat([Buffer.from('B'), int32(body.length + 4), body, execute])
}

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeInt32BE(value)
  return bytes
}

function int16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2)
  bytes.writeInt16BE(value)
  return bytes
}

/** Statements that open a transaction. They return no rows, so the client has no result to skip. */
export const controlStatements = {
  begin: 'begin',
  read_only: `select where set_config('transaction_read_only', 'on', true) is null`,
  enter_tenant: `select where set_config('app.tenant_id', $1, true) is null`,
  read_in_tenant: `select where set_config('app.tenant_id', $1, true) is null
    or set_config('transaction_read_only', 'on', true) is null`,
  enter_tenant_in_job: `select where set_config('app.tenant_id', $1, true) is null
    or set_config('statement_timeout', '60s', true) is null`,
  read_in_tenant_in_job: `select where set_config('app.tenant_id', $1, true) is null
    or set_config('statement_timeout', '60s', true) is null
    or set_config('transaction_read_only', 'on', true) is null`,
}

/** The server checks the connection during long statements, so that they end when the client is gone. */
export const snapshotStatements = {
  begin_snapshot: 'begin isolation level repeatable read read only',
  enter_snapshot: `select where set_config('app.tenant_id', $1, true) is null
    or set_config('statement_timeout', '600s', true) is null
    or set_config('idle_in_transaction_session_timeout', '60s', true) is null
    or set_config('client_connection_check_interval', '1s', true) is null`,
}

type ControlStatements = Record<string, string>

export type Preamble = { message: Buffer; statements: number }

/** `statementTimeoutMs` is the timeout that the preamble sets, if it differs from that of the role. */
export type TransactionPreambles = { readOnly: Preamble; readWrite: Preamble; statementTimeoutMs?: number }

export type StatementLimits = 'request' | 'job'

const begin = bindAndExecute('begin')
const beginSnapshot = bindAndExecute('begin_snapshot')

export const preamblesWithoutTenant: TransactionPreambles = {
  readOnly: { message: bindAndExecute('read_only'), statements: 1 },
  readWrite: { message: begin, statements: 1 },
}

const preamblesByTenant: Record<StatementLimits, Map<string, TransactionPreambles>> = {
  request: new Map(),
  job: new Map(),
}
const maxCached = 10_000

export function preamblesForTenant(tenantId: string, limits: StatementLimits): TransactionPreambles {
  const byTenant = preamblesByTenant[limits]
  const cached = byTenant.get(tenantId)
  if (cached) return cached

  if (byTenant.size >= maxCached) byTenant.clear()
  const preambles = limits === 'job' ? createJobPreambles(tenantId) : createPreambles(tenantId)
  byTenant.set(tenantId, preambles)
  return preambles
}

const createPreambles = (tenantId: string): TransactionPreambles => ({
  readOnly: { message: bindAndExecute('read_in_tenant', tenantId), statements: 1 },
  readWrite: { message: Buffer.concat([begin, bindAndExecute('enter_tenant', tenantId)]), statements: 2 },
})

const createJobPreambles = (tenantId: string): TransactionPreambles => ({
  readOnly: { message: bindAndExecute('read_in_tenant_in_job', tenantId), statements: 1 },
  readWrite: { message: Buffer.concat([begin, bindAndExecute('enter_tenant_in_job', tenantId)]), statements: 2 },
  statementTimeoutMs: 60_000,
})

export function preamblesForSnapshot(tenantId: string): TransactionPreambles {
  const message = Buffer.concat([beginSnapshot, bindAndExecute('enter_snapshot', tenantId)])
  const preamble = { message, statements: 2 }
  return { readOnly: preamble, readWrite: preamble, statementTimeoutMs: 600_000 }
}

/** Runs each control statement once without effect, which leaves it prepared on the connection. */
export async function prepareControlStatements(client: ClientBase, statements: ControlStatements): Promise<void> {
  const prepared = Object.entries(statements).map(([name, text]) =>
    client.query({ name, text, values: text.includes('$1') ? [''] : [] }),
  )
  await Promise.all([...prepared, client.query('rollback')])
}
