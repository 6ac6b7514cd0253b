// Everything that uses names which pg does not document. A new version of pg must pass protocol.test.ts.
import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { createRowDecoder, decodeRow, type PreparedStatement, type RowDecoder } from './prepared-statements.ts'
import { describePortal, executeAndSync, type Preamble } from './transaction-preamble.ts'

type Connection = EventEmitter & {
  stream: Duplex
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  _send(message: Buffer): void
  parse(statement: { name: string; text: string }): void
  bind(portal: { statement: string; values: unknown[] }): void
  close(target: { type: 'S'; name: string }): void
}

/** `values` are the result of `serializeValues`. */
export type SqlStatement = { text: string; values: unknown[] }
export type StatementResult = { rows: Record<string, unknown>[]; command: string; affectedRows: number }

export type LeadingMessages = { preamble: Preamble | undefined; statementsToClose: string[] }
type Callback = (error: Error | null, result?: StatementResult) => void

const connectionOf = (client: pg.ClientBase) => (client as unknown as { connection: Connection }).connection

export const destroyConnection = (client: pg.ClientBase, error?: Error): void => {
  connectionOf(client).stream.destroy(error)
}

/** Calls back at the end of every round trip. */
export const onReadyForQuery = (client: pg.ClientBase, callback: () => void): void => {
  connectionOf(client).on('readyForQuery', callback)
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

/** Sends a statement with the preamble of its transaction before one Sync, so that both take one round trip. */
class PipelinedQuery {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
  readonly #prepared: PreparedStatement
  readonly #leading: LeadingMessages
  /** pg's own name: tracing instrumentation wraps this property. */
  callback: Callback
  #completionsToSkip: number
  #decoder: RowDecoder | undefined
  #rows: Record<string, unknown>[] = []
  #command = ''
  #failure: Error | undefined

  constructor(statement: SqlStatement, prepared: PreparedStatement, leading: LeadingMessages, callback: Callback) {
    this.name = prepared.name
    this.text = statement.text
    this.values = statement.values
    this.#prepared = prepared
    this.#leading = leading
    this.callback = callback
    this.#completionsToSkip = leading.preamble?.statements ?? 0
    this.#decoder = prepared.decoder
  }

  submit(connection: Connection): Error | null {
    connection.stream.cork()
    // Statements that start in the same turn are written with one system call.
    process.nextTick(uncork, connection.stream)
    this.#send(connection)
    return null
  }

  #send(connection: Connection): void {
    const { preamble, statementsToClose } = this.#leading
    // Close first: after an error PostgreSQL skips every message up to the Sync.
    for (const name of statementsToClose) {
      connection.close({ type: 'S', name })
      delete connection.parsedStatements[name]
    }
    if (preamble) connection._send(preamble.message)
    if (!this.name) connection.parse({ name: '', text: this.text })
    else if (!(this.name in connection.parsedStatements) && !(this.name in connection.submittedNamedStatements)) {
      connection.parse({ name: this.name, text: this.text })
      connection.submittedNamedStatements[this.name] = this.text
    }
    connection.bind({ statement: this.name, values: this.values })
    if (!this.#decoder) connection._send(describePortal)
    connection._send(executeAndSync)
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#decoder = createRowDecoder(fields)
    this.#prepared.decoder = this.#decoder
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#failure) return
    try {
      this.#rows.push(decodeRow(this.#decoder!, fields))
    } catch (error) {
      this.#failure = error as Error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (this.#completionsToSkip > 0) this.#completionsToSkip--
    else this.#command = text
  }

  handleError(error: Error): void {
    this.callback(this.#failure ?? error)
  }

  handleReadyForQuery(): void {
    if (this.#failure) {
      this.callback(this.#failure)
      return
    }
    const [command = '', ...counts] = this.#command.split(' ')
    this.callback(null, { rows: this.#rows, command, affectedRows: Number(counts.at(-1)) || 0 })
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}

// pg pipelines only instances of its own class, because others may keep a portal open between round trips.
Object.setPrototypeOf(PipelinedQuery.prototype, pg.Query.prototype)

const uncork = (stream: Duplex): void => stream.uncork()

/** Throws before anything is sent: a value that fails must not leave a partial message on the connection. */
export const serializeValues = (values: readonly unknown[]): unknown[] => values.map(prepareValue)

export function runStatement(
  client: pg.ClientBase,
  statement: SqlStatement,
  prepared: PreparedStatement,
  leading: LeadingMessages,
): Promise<StatementResult> {
  return new Promise((resolve, reject) => {
    const query = new PipelinedQuery(statement, prepared, leading, (error, result) =>
      error ? reject(error) : resolve(result!),
    )
    client.query(query as unknown as pg.Submittable)
  })
}
