import pg from 'pg'
import { destroyConnection, onReadyForQuery } from './pg-internals.ts'

/** Lets the server cancel a statement first, because that keeps the connection. */
const marginMs = 500
const connectingLimitMs = 3_500
const closingLimitMs = 1_000
const limitWithoutTimeoutMs = 600_000

const clientsByServer = new Map<string, Set<MonitoredClient>>()

/** Destroys its connection if a round trip takes too long. pg's `query_timeout` would return a busy connection to the pool. */
class MonitoredClient extends pg.Client {
  readonly #peers: Set<MonitoredClient>
  #limitMs = connectingLimitMs
  #defaultLimitMs = connectingLimitMs
  #sentAt: number | undefined
  #repliedAt = performance.now()
  #timer: NodeJS.Timeout | undefined

  constructor(config?: pg.ClientConfig) {
    super(config)
    this.#peers = peersOf(this)
    onReadyForQuery(this, () => this.#onReply())
    this.on('drain', () => this.#stop())
    this.once('connect', () => this.#peers.add(this))
    this.once('end', () => {
      this.#stop()
      this.#peers.delete(this)
    })
  }

  override query(...input: unknown[]): never {
    if (this.#sentAt === undefined) this.#start()
    return Reflect.apply(super.query, this, input) as never
  }

  override end(...input: unknown[]): never {
    setTimeout(() => destroyConnection(this), closingLimitMs).unref()
    return Reflect.apply(super.end, this, input) as never
  }

  /** Changes the limit for a transaction that changed its statement timeout; without `limitMs` to the default. */
  setRoundTripLimit(limitMs = this.#defaultLimitMs): void {
    this.#limitMs = limitMs
  }

  setDefaultRoundTripLimit(limitMs: number): void {
    this.#limitMs = limitMs
    this.#defaultLimitMs = limitMs
  }

  #onReply(): void {
    this.#repliedAt = performance.now()
    if (this.#sentAt !== undefined) this.#start()
  }

  #start(): void {
    const sentAt = performance.now()
    this.#sentAt = sentAt
    clearTimeout(this.#timer)
    // A result that arrived while the event loop was blocked is read before the immediate runs.
    this.#timer = setTimeout(
      () => setImmediate(() => this.#sentAt === sentAt && this.#destroySilent(sentAt)),
      this.#limitMs + marginMs,
    )
  }

  #stop(): void {
    this.#sentAt = undefined
    clearTimeout(this.#timer)
  }

  /** Destroys the idle connections to the same server too, if they received nothing since: the next transaction would fail. */
  #destroySilent(since: number): void {
    destroySilent(this)
    for (const peer of this.#peers) if (peer.#sentAt === undefined && peer.#repliedAt < since) destroySilent(peer)
  }
}

export function createMonitoredClient(config: pg.ClientConfig, roundTripLimitMs: number): pg.Client {
  const client = new MonitoredClient(config)
  client.setDefaultRoundTripLimit(roundTripLimitMs)
  return client
}

function peersOf({ host, port }: pg.Client): Set<MonitoredClient> {
  const server = `${host}:${port}`
  const peers = clientsByServer.get(server) ?? new Set()
  clientsByServer.set(server, peers)
  return peers
}

const destroySilent = (client: pg.Client): void =>
  destroyConnection(
    client,
    Object.assign(new Error('The database server does not respond.'), { code: 'ETIMEDOUT' as const }),
  )

/** Options of a pool whose connections are monitored. A round trip may take as long as the statement timeout of the role. */
export const connectionMonitoring = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
  Client: MonitoredClient,
  async onConnect(client: pg.ClientBase): Promise<void> {
    // The view pg_settings formats all settings, which takes as long as connecting.
    const { rows } = await client.query<{ statement_timeout: string }>('show statement_timeout')
    if (client instanceof MonitoredClient)
      client.setDefaultRoundTripLimit(toMilliseconds(rows[0]!.statement_timeout) || limitWithoutTimeoutMs)
  },
}

const unitMs: Record<string, number> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads a duration as PostgreSQL shows it, such as `12s`. A duration of zero has no unit. */
function toMilliseconds(setting: string): number {
  const count = Number.parseInt(setting, 10)
  return count && count * unitMs[setting.slice(String(count).length)]!
}

export const setRoundTripLimit = (client: pg.ClientBase, limitMs?: number): void => {
  if (client instanceof MonitoredClient) client.setRoundTripLimit(limitMs)
}
