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
import type { Entry } from './control.ts'
import type { DB as Database } from './database.ts'
import { exchange } from './exchange.ts'
import { forgetStatements, isStaleStatement, prepared, takeClosing } from './prepared.ts'

/** A transaction as it is lived: what runs in it, and what is to happen once it has committed. */
export type Session = { tx: Transaction<Database>; afterCommit: (() => void)[] }

/** Commits what `work` did, or nothing of it. */
export async function transact<T>(pool: Pool, entry: Entry, work: (session: Session) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let isDoubtful = false
  try {
    return await attempt(client, entry, work)
  } catch (error) {
    if (!isStaleStatement(error)) throw error
    isDoubtful = true
    forgetStatements(client)
    return await attempt(client, entry, work)
  } finally {
    // A connection that may remember something is closed, not lent again.
    client.release(isDoubtful || client.getTransactionStatus() !== 'I')
  }
}

async function attempt<T>(client: PoolClient, entry: Entry, work: (session: Session) => Promise<T>): Promise<T> {
  const executor = new LazyTransaction(client, entry)
  const session: Session = {
    tx: new Transaction<Database>({ config: { dialect }, dialect, driver, executor }),
    afterCommit: [],
  }
  let result: T
  try {
    result = await work(session)
    await executor.commit()
  } catch (error) {
    await executor.rollback()
    throw error
  }
  for (const act of session.afterCommit) act()
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
    throw new Error('A statement runs in its transaction, on no connection of its own.')
  },
}

/**
 * A READ COMMITTED transaction that begins with the first statement that needs one. Every statement sees what is committed
 * when it starts, so plain reads ahead of that lose nothing by running alone, read-only, in one round trip each.
 */
class LazyTransaction extends DefaultQueryExecutor {
  readonly #client: PoolClient
  readonly #entry: Entry
  #state: 'reading' | 'begun' | 'ended' = 'reading'

  constructor(client: PoolClient, entry: Entry) {
    super(compiler, adapter, noConnection)
    this.#client = client
    this.#entry = entry
  }

  override transformQuery<T extends RootOperationNode>(node: T): T {
    return node
  }

  override async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#state === 'ended') throw new Error('This transaction has ended. Is an await missing?')
    const isWriting = this.#state === 'reading' && !isPlainRead(query)
    const opening = isWriting ? this.#entry.toWrite : this.#state === 'reading' ? this.#entry.toRead : undefined
    if (isWriting) this.#state = 'begun'

    const client = this.#client
    const framing = { opening, closing: takeClosing(client) }
    const answer = await exchange(client, { text: sql, values: parameters }, prepared(client, sql), framing)
    const rows = answer.rows as R[]
    return answer.command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(answer.affected) }
  }

  async commit(): Promise<void> {
    // PostgreSQL answers COMMIT with ROLLBACK when a statement failed and `work` went on regardless.
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

/** Anything that may write or lock is not plain; should one slip through, PostgreSQL refuses it as read-only. */
function isPlainRead(query: CompiledQuery['query']): boolean {
  return query.kind === 'SelectQueryNode' && query.with === undefined && query.endModifiers === undefined
}
