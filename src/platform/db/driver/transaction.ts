import { setTimeout as sleep } from 'node:timers/promises'
import {
  AbortedTransactionError,
  type CompiledQuery,
  DefaultQueryExecutor,
  type Dialect,
  DummyDriver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type RootOperationNode,
  Transaction,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { DB as Database } from '../database.ts'
import { isTransactionConflict } from '../database-errors.ts'
import { setRoundTripLimit } from './monitored-client.ts'
import { destroyConnection, runStatement, serializeValues } from './pg-internals.ts'
import {
  discardPreparedStatements,
  getPreparedStatement,
  isStaleStatement,
  takeStatementsToClose,
} from './prepared-statements.ts'
import type { TransactionPreambles } from './transaction-preamble.ts'

export type OpenTransaction = {
  tx: Transaction<Database>
  afterCommit: (() => void)[]
  setRoundTripLimit: (milliseconds: number) => void
}

type Work<T> = (transaction: OpenTransaction) => Promise<T>

const maxAttempts = 3
const maxPauseMs = 40

/** Runs `work` in a transaction; again after a deadlock, and once if a migration invalidated a prepared statement. */
export async function runTransaction<T>(
  pool: Pool,
  preambles: TransactionPreambles,
  work: Work<T>,
  slow?: SlowStatements,
): Promise<T> {
  const client = await pool.connect()
  let isSuspect = false
  setRoundTripLimit(client, preambles.statementTimeoutMs)
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await runOnce(client, preambles, work, { slow })
      } catch (error) {
        if (isStaleStatement(error) && !isSuspect) {
          isSuspect = true
          discardPreparedStatements(client)
          continue
        }
        if (!isTransactionConflict(error) || attempt >= maxAttempts) throw error
      }
      await sleep(Math.random() * maxPauseMs)
    }
  } finally {
    setRoundTripLimit(client)
    // Discard connections in an unknown state instead of returning them to the pool.
    client.release(isSuspect || client.getTransactionStatus() !== 'I')
  }
}

/** Runs `work` once, because it may have passed on a part of the rows before it fails. */
export async function runSnapshot<T>(
  pool: Pool,
  preambles: TransactionPreambles,
  work: Work<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  signal?.throwIfAborted()
  const client = await pool.connect()
  const aborted = Promise.withResolvers<never>()
  aborted.promise.catch(() => {})
  const abort = () => {
    aborted.reject(signal?.reason)
    destroyConnection(client, new Error('The connection was closed.'))
  }
  signal?.addEventListener('abort', abort)
  setRoundTripLimit(client, preambles.statementTimeoutMs)
  try {
    if (signal?.aborted) abort()
    const runUntilAborted: Work<T> = (transaction) => Promise.race([work(transaction), aborted.promise])
    return await runOnce(client, preambles, runUntilAborted, { isSnapshot: true })
  } finally {
    signal?.removeEventListener('abort', abort)
    setRoundTripLimit(client)
    client.release(client.getTransactionStatus() !== 'I')
  }
}

export type SlowStatement = { operation: string; durationMs: number; rows: number }
type SlowStatements = { minMs: number; report: (statement: SlowStatement) => void }
type Mode = { isSnapshot?: boolean; slow?: SlowStatements }

async function runOnce<T>(client: PoolClient, preambles: TransactionPreambles, work: Work<T>, mode: Mode): Promise<T> {
  const executor = new LazyTransaction(client, preambles, mode)
  const transaction: OpenTransaction = {
    tx: new Transaction<Database>({ config: { dialect }, dialect, driver, executor }),
    afterCommit: [],
    setRoundTripLimit: (milliseconds) => setRoundTripLimit(client, milliseconds),
  }
  let result: T
  try {
    result = await work(transaction)
    await executor.commit()
  } catch (error) {
    await executor.rollback()
    throw executor.conflict ?? error
  }
  for (const callback of transaction.afterCommit) callback()
  return result
}

const adapter = new PostgresAdapter()
const compiler = new PostgresQueryCompiler()
const driver = new DummyDriver()
const dialect: Dialect = {
  createAdapter: () => adapter,
  createDriver: () => driver,
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => compiler,
}
const noConnection = {
  provideConnection(): never {
    throw new Error('Statements must run in their transaction, not on a separate connection.')
  },
}

// Sends BEGIN only before the first statement that writes or locks. In READ COMMITTED every statement has its own snapshot,
// so plain reads before it can run alone, in one round trip each. A snapshot begins with its first statement and prepares none,
// because the columns of FETCH depend on its cursor.
class LazyTransaction extends DefaultQueryExecutor {
  readonly #client: PoolClient
  readonly #preambles: TransactionPreambles
  readonly #isSnapshot: boolean
  readonly #slow: SlowStatements | undefined
  #state: 'reading' | 'begun' | 'ended' = 'reading'
  #lastStatement: Promise<unknown> | undefined
  /** A deadlock ends the whole transaction, even if `work` handles the error or the deadlock occurred in a savepoint. */
  conflict: unknown

  constructor(client: PoolClient, preambles: TransactionPreambles, { isSnapshot = false, slow }: Mode) {
    super(compiler, adapter, noConnection)
    this.#client = client
    this.#preambles = preambles
    this.#isSnapshot = isSnapshot
    this.#slow = slow
  }

  override transformQuery<T extends RootOperationNode>(node: T): T {
    return node
  }

  override async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#state === 'ended') throw new Error('This transaction has ended. Is an await missing?')
    if (this.conflict) throw this.conflict
    // Before the state changes: a statement that is not sent must not count as the one that began the transaction.
    const values = serializeValues(parameters)
    const begins = this.#state === 'reading' && (this.#isSnapshot || !isPlainRead(query))
    const { readWrite, readOnly } = this.#preambles
    const preamble = begins ? readWrite : this.#state === 'reading' ? readOnly : undefined
    if (begins) this.#state = 'begun'

    const client = this.#client
    const leading = { preamble, statementsToClose: takeStatementsToClose(client) }
    const statement = { text: sql, values }
    const prepared = this.#isSnapshot ? { name: '' } : getPreparedStatement(client, sql)
    const startedAt = performance.now()
    const running = runStatement(client, statement, prepared, leading)
    this.#lastStatement = running
    const result = await running.catch((error) => {
      if (isTransactionConflict(error)) this.conflict = error
      throw error
    })
    const rows = result.rows as R[]
    const durationMs = performance.now() - startedAt
    if (this.#slow && durationMs > this.#slow.minMs)
      this.#slow.report({ operation: operationOf(sql), durationMs: Math.round(durationMs), rows: rows.length })
    return result.command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(result.affectedRows) }
  }

  async commit(): Promise<void> {
    if (this.conflict) throw this.conflict
    // PostgreSQL answers COMMIT with ROLLBACK if a statement failed and `work` ignored the error.
    if ((await this.#end('commit')) === 'ROLLBACK') throw new AbortedTransactionError()
  }

  async rollback(): Promise<void> {
    if (this.#state !== 'ended') await this.#end('rollback').catch(() => {})
    // Statements that were sent together with the failed one.
    await this.#lastStatement?.catch(() => {})
  }

  async #end(statement: 'commit' | 'rollback'): Promise<string | undefined> {
    const hasBegun = this.#state === 'begun'
    this.#state = 'ended'
    return hasBegun ? (await this.#client.query(statement)).command : undefined
  }
}

/** Excludes everything that may write or lock. If one is missed, PostgreSQL rejects it as read-only. */
function isPlainRead(query: CompiledQuery['query']): boolean {
  return query.kind === 'SelectQueryNode' && query.with === undefined && query.endModifiers === undefined
}

/** Names a statement by its command and first table. Its text has parameters instead of values. */
function operationOf(text: string): string {
  const command = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const table = /\b(?:from|into|update)\s+("?\w+"?\."?\w+"?)/i.exec(text)?.[1]?.replaceAll('"', '')
  return table ? `${command} ${table}`.slice(0, 200) : command
}
