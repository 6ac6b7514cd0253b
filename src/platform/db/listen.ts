import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createMonitoredClient } from './driver/index.ts'

export type Listener = {
  on(channel: string, callback: (payload: string) => void): Promise<void>
  /** While false, no notifications arrive and callers must poll. */
  isConnected(): boolean
  close(): Promise<void>
}

const retryMilliseconds = 1_000

type Options = { pingIntervalMs?: number; pingLimitMs?: number }

/** Pings the server, because a listener that sends nothing does not notice that the server disappeared. */
export async function listen(
  url: string,
  { pingIntervalMs = 5_000, pingLimitMs = 2_000 }: Options = {},
): Promise<Listener> {
  const callbacks = new Map<string, ((payload: string) => void)[]>()
  let client: pg.Client | undefined
  let isClosed = false
  let isReconnecting = false

  async function connect(): Promise<void> {
    const config = { connectionString: url, keepAlive: true, connectionTimeoutMillis: 2_000 }
    const connecting = createMonitoredClient(config, pingLimitMs)
    connecting.on('error', () => {})
    connecting.once('end', () => {
      if (client === connecting) client = undefined
      if (!isClosed) void reconnect()
    })
    connecting.on('notification', ({ channel, payload = '' }) => {
      for (const callback of callbacks.get(channel) ?? []) callback(payload)
    })
    await connecting.connect()
    if (isClosed) return await connecting.end()
    client = connecting
    for (const channel of callbacks.keys()) await connecting.query(`listen ${pg.escapeIdentifier(channel)}`)
  }

  /** Guarded, because a failed attempt also emits 'end' and would start another reconnect. */
  async function reconnect(): Promise<void> {
    if (isReconnecting) return
    isReconnecting = true
    while (!isClosed && !client) {
      await sleep(retryMilliseconds, undefined, { ref: false })
      if (!isClosed) await connect().catch(() => {})
    }
    isReconnecting = false
  }

  try {
    await connect()
  } catch (error) {
    // The caller has no listener to close, so nothing may go on connecting.
    isClosed = true
    throw error
  }
  let isPinging = false
  const pings = setInterval(async () => {
    if (!client || isPinging) return
    isPinging = true
    await client.query('select').catch(() => {})
    isPinging = false
  }, pingIntervalMs).unref()
  return {
    async on(channel, callback) {
      const existing = callbacks.get(channel) ?? []
      callbacks.set(channel, [...existing, callback])
      if (!existing.length) await client?.query(`listen ${pg.escapeIdentifier(channel)}`)
    },
    isConnected: () => client !== undefined,
    async close() {
      isClosed = true
      clearInterval(pings)
      await client?.end()
    },
  }
}
