import { Redis as Client } from 'ioredis'
import type { Log } from '#platform/telemetry'

const commandTimeoutMs = 50
const failuresUntilDown = 5
const probeIntervalMs = 500
const socketTimeoutMs = 2_000
const maxQueued = 10_000
const queueBatchSize = 500

type Command<T> = (client: Client) => Promise<T>

/** Redis client that tolerates outages: commands time out quickly, and callers never see an error. */
export type Redis = {
  run<T>(command: Command<T>): Promise<T | undefined>
  /** Runs the command now, or queues it until Redis is back, before any other command. For invalidations, which must not be lost. */
  runOrQueue(name: string, command: Command<unknown>): Promise<void>
  ping(): Promise<number | undefined>
  status(): 'ok' | 'down' | 'disabled'
  close(): void
}

/** Returns immediately; Redis counts as down until the connection is established. */
export function openRedis({ REDIS_URL, log }: { REDIS_URL?: string; log: Log }): Redis {
  if (!REDIS_URL) return disabledRedis
  const client = connect(REDIS_URL)
  const queued = new Map<string, Command<unknown>>()
  let state: 'starting' | 'up' | 'down' | 'closed' = 'starting'
  let consecutiveFailures = 0
  let isProbing = false
  let nextWarningMs = 0

  client.on('ready', probe)
  client.on('error', (error) => markDown(reasonOf(error)))
  client.on('close', () => markDown('connection closed'))
  const probeTimer = setInterval(probe, probeIntervalMs).unref()

  async function run<T>(command: Command<T>): Promise<T | undefined> {
    if (state !== 'up') return undefined
    try {
      const result = await withTimeout(commandTimeoutMs, command(client))
      consecutiveFailures = 0
      return result
    } catch (error) {
      recordFailure(error)
      return undefined
    }
  }

  async function runOrQueue(name: string, command: Command<unknown>): Promise<void> {
    if (state === 'up' && (await succeeds(command))) return
    if (queued.size < maxQueued) queued.set(name, command)
    markDown('an invalidation failed')
  }

  const succeeds = (command: Command<unknown>) =>
    withTimeout(commandTimeoutMs, command(client)).then(
      () => true,
      () => false,
    )

  function recordFailure(error: unknown): void {
    if (isErrorReply(error)) {
      warnAboutErrorReply(reasonOf(error))
      return
    }
    consecutiveFailures += 1
    if (consecutiveFailures >= failuresUntilDown) markDown(reasonOf(error))
  }

  function warnAboutErrorReply(reason: string): void {
    if (performance.now() < nextWarningMs) return
    nextWarningMs = performance.now() + 60_000
    log.warn({ reason }, 'Redis rejected a command')
  }

  function markDown(reason: string): void {
    if (state === 'down' || state === 'closed') return
    state = 'down'
    log.warn({ reason }, 'Redis is down, continuing without it')
  }

  async function probe(): Promise<void> {
    if (state === 'up' || isProbing || client.status !== 'ready') return
    isProbing = true
    try {
      await withTimeout(commandTimeoutMs, client.ping())
      await runQueued()
      if (state === 'down') log.info('Redis is back')
      if (state !== 'closed') state = 'up'
      consecutiveFailures = 0
    } catch {
      markDown('no response')
    } finally {
      isProbing = false
    }
  }

  async function runQueued(): Promise<void> {
    while (queued.size) {
      const batch = [...queued].slice(0, queueBatchSize)
      await withTimeout(socketTimeoutMs, Promise.all(batch.map(([, command]) => command(client))))
      for (const [name, command] of batch) if (queued.get(name) === command) queued.delete(name)
    }
  }

  return {
    run,
    runOrQueue,
    async ping() {
      const start = performance.now()
      const reply = await run((redis) => redis.ping())
      return reply === undefined ? undefined : performance.now() - start
    },
    status: () => (state === 'up' ? 'ok' : 'down'),
    close() {
      state = 'closed'
      clearInterval(probeTimer)
      client.disconnect()
    },
  }
}

const disabledRedis: Redis = {
  run: async () => undefined,
  runOrQueue: async () => {},
  ping: async () => undefined,
  status: () => 'disabled',
  close: () => {},
}

const connect = (url: string) =>
  new Client(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: socketTimeoutMs,
    socketTimeout: socketTimeoutMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
    // After a failover the old primary is read-only; reconnect, because the host name may resolve to the new one.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  })

const isErrorReply = (error: unknown) => error instanceof Error && error.name === 'ReplyError'

/** Returns a short reason for the log; the error message may contain hosts or values. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (isErrorReply(error)) return error.message.split(' ', 1)[0] ?? error.name
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** Rejects after `ms`. The check is deferred by one tick so that a reply that arrived while the event loop was blocked still counts. */
function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(Object.assign(new Error('Timed out'), { code: 'ETIMEDOUT' }))
    const timer = setTimeout(() => setImmediate(giveUp), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
