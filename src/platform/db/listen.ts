import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export type Listener = {
  on(channel: string, hear: (payload: string) => void): Promise<void>
  /** Tells whether notices arrive at the moment; while they do not, whoever waits has to look for itself. */
  isHearing(): boolean
  close(): Promise<void>
}

const retryMilliseconds = 1_000

/** One connection that waits for NOTIFY, for the whole process. When it is lost it comes back by itself. */
export async function listen(url: string): Promise<Listener> {
  const heard = new Map<string, ((payload: string) => void)[]>()
  let client: pg.Client | undefined
  let isClosed = false
  let isReconnecting = false

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 2_000 })
    fresh.on('error', () => {})
    fresh.once('end', () => {
      if (client === fresh) client = undefined
      if (!isClosed) void reconnect()
    })
    fresh.on('notification', ({ channel, payload = '' }) => {
      for (const hear of heard.get(channel) ?? []) hear(payload)
    })
    await fresh.connect()
    client = fresh
    for (const channel of heard.keys()) await fresh.query(`listen ${pg.escapeIdentifier(channel)}`)
  }

  /** Once at a time: an attempt that fails ends a connection too, and would set off the next ones. */
  async function reconnect(): Promise<void> {
    if (isReconnecting) return
    isReconnecting = true
    while (!isClosed && !client) {
      await sleep(retryMilliseconds, undefined, { ref: false })
      if (!isClosed) await connect().catch(() => {})
    }
    isReconnecting = false
  }

  await connect()
  return {
    async on(channel, hear) {
      const hearers = heard.get(channel) ?? []
      heard.set(channel, [...hearers, hear])
      if (!hearers.length) await client?.query(`listen ${pg.escapeIdentifier(channel)}`)
    },
    isHearing: () => client !== undefined,
    async close() {
      isClosed = true
      await client?.end()
    },
  }
}
