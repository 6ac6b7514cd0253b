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
import type { DB as Database } from './database.ts'
import { runStatement } from './pipelined-query.ts'
import {
  discardPreparedStatements,
  getPreparedStatement,
  isStaleStatement,
  takeStatementsToClose,
} from './prepared-statements.ts'
import type { TransactionPreambles } from './transaction-preamble.ts'

export type OpenTransaction = { tx: Transaction<Database>; afterCommit: (() => void)[] }

/** Runs `work` in a transaction; retries once if a migration invalidated a prepared statement. */
export async function runTransaction<T>(
  pool: Pool,
  preambles: TransactionPreambles,
  work: (transaction: OpenTransaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let isSuspect = false
  try {
    return await attempt(client, preambles, work)
  } catch (error) {
    if (!isStaleStatement(error)) throw error
    isSuspect = true
    discardPreparedStatements(client)
    return await attempt(client, preambles, work)
  } finally {
    // Discard connections in an unknown state instead of returning them to the pool.
    client.release(isSuspect || client.getTransactionStatus() !== 'I')
  }
}

async function attempt<T>(
  client: PoolClient,
  preambles: TransactionPreambles,
  work: (transaction: OpenTransaction) => Promise<T>,
): Promise<T> {
  const executor = new LazyTransaction(client, preambles)
  const transaction: OpenTransaction = {
    tx: new Transaction<Database>({ config: { dialect }, dialect, driver, executor }),
    afterCommit: [],
  }
  let result: T
  try {
    result = await work(transaction)
    await executor.commit()
  } catch (error) {
    await executor.rollback()
    throw error
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
// so plain reads before it can run alone, in one round trip each.
class LazyTransaction extends DefaultQueryExecutor {
  readonly #client: PoolClient
  readonly #preambles: TransactionPreambles
  #state: 'reading' | 'begun' | 'ended' = 'reading'

  constructor(client: PoolClient, preambles: TransactionPreambles) {
    super(compiler, adapter, noConnection)
    this.#client = client
    this.#preambles = preambles
  }

  override transformQuery<T extends RootOperationNode>(node: T): T {
    return node
  }

  override async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#state === 'ended') throw new Error('This transaction has ended. Is an await missing?')
    const begins = this.#state === 'reading' && !isPlainRead(query)
    const { readWrite, readOnly } = this.#preambles
    const preamble = begins ? readWrite : this.#state === 'reading' ? readOnly : undefined
    if (begins) this.#state = 'begun'

    const client = this.#client
    const framing = { preamble, statementsToClose: takeStatementsToClose(client) }
    const statement = { text: sql, values: parameters }
    const result = await runStatement(client, statement, getPreparedStatement(client, sql), framing)
    const rows = result.rows as R[]
    return result.command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(result.affectedRows) }
  }

  async commit(): Promise<void> {
    // PostgreSQL answers COMMIT with ROLLBACK if a statement failed and `work` ignored the error.
    if ((await this.#end('commit')) === 'ROLLBACK') throw new AbortedTransactionError()
  }

  async rollback(): Promise<void> {
    if (this.#state !== 'ended') await this.#end('rollback').catch(() => {})
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
