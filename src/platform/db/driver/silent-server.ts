import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import type { Client, ClientBase } from 'pg'

/** Lets the server cancel a statement first, because that keeps the connection. */
const marginMs = 500
const connectingLimitMs = 3_500
const closingLimitMs = 1_000
const limitWithoutTimeoutMs = 600_000

type MonitoredConnection = {
  client: ClientBase
  limitMs: number
  defaultLimitMs: number
  sentAt: number | undefined
  repliedAt: number
}

const connections = new WeakMap<ClientBase, MonitoredConnection>()
const connectionsByServer = new Map<string, Set<MonitoredConnection>>()

/** Destroys the connection if a round trip takes longer than the statement timeout of the role. */
export async function limitToStatementTimeout(client: ClientBase): Promise<void> {
  const connection = limitRoundTrips(client, connectingLimitMs)
  const { rows } = await client.query<{ setting: string }>(
    `select setting from pg_settings where name = 'statement_timeout'`,
  )
  connection.limitMs = connection.defaultLimitMs = Number(rows[0]!.setting) || limitWithoutTimeoutMs
}

/** Changes the limit of a connection whose transaction changed its statement timeout; without `limitMs` to that of the role. */
export function setRoundTripLimit(client: ClientBase, limitMs?: number): void {
  const connection = connections.get(client)
  if (connection) connection.limitMs = limitMs ?? connection.defaultLimitMs
}

/** Destroys the connection if a round trip takes longer. pg's `query_timeout` would return a busy connection to the pool. */
export function limitRoundTrips(client: ClientBase, limitMs: number): MonitoredConnection {
  const connection = { client, limitMs, defaultLimitMs: limitMs, sentAt: undefined, repliedAt: performance.now() }
  const peers = peersOf(client as Client)
  connections.set(client, connection)
  peers.add(connection)
  monitor(connection, peers)
  return connection
}

function peersOf({ host, port }: Client): Set<MonitoredConnection> {
  const server = `${host}:${port}`
  const peers = connectionsByServer.get(server) ?? new Set()
  connectionsByServer.set(server, peers)
  return peers
}

function monitor(connection: MonitoredConnection, peers: Set<MonitoredConnection>): void {
  const { client } = connection
  let timer: NodeJS.Timeout | undefined

  function start(): void {
    const sentAt = performance.now()
    connection.sentAt = sentAt
    clearTimeout(timer)
    // A result that arrived while the event loop was blocked is read before the immediate runs.
    timer = setTimeout(
      () => setImmediate(() => connection.sentAt === sentAt && destroySilent(connection, peers, sentAt)),
      connection.limitMs + marginMs,
    )
  }

  function stop(): void {
    connection.sentAt = undefined
    clearTimeout(timer)
  }

  const { query, end } = client as Client
  Object.assign(client, {
    query(...args: unknown[]) {
      if (connection.sentAt === undefined) start()
      return Reflect.apply(query, client, args)
    },
    end(...args: unknown[]) {
      setTimeout(() => streamOf(client).destroy(), closingLimitMs).unref()
      return Reflect.apply(end, client, args)
    },
  })
  driverOf(client).on('readyForQuery', () => {
    connection.repliedAt = performance.now()
    if (connection.sentAt !== undefined) start()
  })
  client.on('drain', stop)
  client.on('end', () => {
    stop()
    peers.delete(connection)
  })
}

/** Destroys the idle connections to the same server too, if they received nothing since: the next transaction would fail. */
function destroySilent(silent: MonitoredConnection, peers: Set<MonitoredConnection>, since: number): void {
  destroy(silent)
  for (const peer of peers) if (peer.sentAt === undefined && peer.repliedAt < since) destroy(peer)
}

function destroy({ client }: MonitoredConnection): void {
  streamOf(client).destroy(
    Object.assign(new Error('The database server does not respond.'), { code: 'ETIMEDOUT' as const }),
  )
}

export const closeConnection = (client: ClientBase): void => {
  streamOf(client).destroy(new Error('The connection was closed.'))
}

type Driver = EventEmitter & { stream: Duplex }

const driverOf = (client: ClientBase) => (client as unknown as { connection: Driver }).connection
const streamOf = (client: ClientBase) => driverOf(client).stream
