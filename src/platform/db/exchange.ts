import pg from 'pg'
import type { Opening } from './control.ts'
import type { Prepared } from './prepared.ts'
import { type RowShape, readRow, shapeOf } from './rows.ts'
import { describe, executeAndSync } from './wire.ts'

/** What pg's connection can do and its types do not tell. */
type Connection = {
  stream: { cork(): void; uncork(): void }
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  _send(message: Buffer): void
  parse(statement: { name: string; text: string }): void
  bind(portal: { statement: string; values: unknown[] }): void
  close(target: { type: 'S'; name: string }): void
  sync(): void
}

export type Statement = { text: string; values: readonly unknown[] }
export type Answer = { rows: Record<string, unknown>[]; command: string; affected: number }

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

/**
 * A statement and what opens its transaction, before one Sync. PostgreSQL runs everything before a Sync in one round trip
 * and, unless it is told to `begin`, in one implicit transaction: local settings end with it, an error undoes all of it.
 * pg hands a client's messages to whatever has these methods.
 */
class Exchange {
  readonly name: string
  readonly text: string
  readonly #statement: Statement
  readonly #prepared: Prepared
  readonly #opening: Opening | undefined
  readonly #closing: string[]
  /** Under pg's own name for it, where tracing looks for the end of a statement. */
  callback: (error: Error | null, answer?: Answer) => void
  #answersToSkip: number
  #shape: RowShape | undefined
  #rows: Record<string, unknown>[] = []
  #command = ''
  #failure: Error | undefined

  constructor(
    statement: Statement,
    prepared: Prepared,
    { opening, closing }: { opening: Opening | undefined; closing: string[] },
    done: (error: Error | null, answer?: Answer) => void,
  ) {
    this.name = prepared.name
    this.text = statement.text
    this.#statement = statement
    this.#prepared = prepared
    this.#opening = opening
    this.#closing = closing
    this.callback = done
    this.#answersToSkip = opening?.statements ?? 0
    this.#shape = prepared.shape
  }

  submit(connection: Connection): Error | null {
    // Ahead of everything, because a value that cannot be sent must not leave half a message behind.
    const values = toWire(this.#statement.values)
    if (values instanceof Error) return values
    connection.stream.cork()
    try {
      this.#send(connection, values)
      return null
    } finally {
      connection.stream.uncork()
    }
  }

  #send(connection: Connection, values: unknown[]): void {
    // First of all, since PostgreSQL skips everything between an error and the Sync.
    for (const name of this.#closing) {
      connection.close({ type: 'S', name })
      delete connection.parsedStatements[name]
    }
    if (this.#opening) connection._send(this.#opening.message)
    if (!(this.name in connection.parsedStatements) && !(this.name in connection.submittedNamedStatements)) {
      connection.parse({ name: this.name, text: this.text })
      connection.submittedNamedStatements[this.name] = this.text
    }
    connection.bind({ statement: this.name, values })
    if (!this.#shape) connection._send(describe)
    connection._send(executeAndSync)
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#shape = shapeOf(fields)
    this.#prepared.shape = this.#shape
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#failure) return
    try {
      this.#rows.push(readRow(this.#shape!, fields))
    } catch (error) {
      this.#failure = error as Error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (this.#answersToSkip > 0) this.#answersToSkip--
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
    this.callback(null, { rows: this.#rows, command, affected: Number(counts.at(-1)) || 0 })
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}

function toWire(values: readonly unknown[]): unknown[] | Error {
  try {
    return values.map(prepareValue)
  } catch (error) {
    return error as Error
  }
}

type Framing = { opening: Opening | undefined; closing: string[] }

export function exchange(client: pg.ClientBase, statement: Statement, prepared: Prepared, framing: Framing) {
  return new Promise<Answer>((resolve, reject) => {
    const query = new Exchange(statement, prepared, framing, (error, answer) =>
      error ? reject(error) : resolve(answer!),
    )
    client.query(query as unknown as pg.Submittable)
  })
}
