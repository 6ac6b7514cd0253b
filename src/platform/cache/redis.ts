import { Redis as Client } from 'ioredis'
import type { Log } from '#platform/telemetry'
import { within } from './within.ts'

const answerWithinMs = 50
const failuresUntilAway = 5
const lookAgainEveryMs = 500
const deadSocketAfterMs = 2_000
const maxOwed = 10_000
const owedAtOnce = 500

type Command<T> = (client: Client) => Promise<T>

/** Redis as something that may vanish at any moment: nobody waits for it long, and nobody sees it fail. */
export type Redis = {
  /** Undefined when Redis is away: go on without it. */
  run<T>(command: Command<T>): Promise<T | undefined>
  /** For what must not be lost, such as forgetting a value: done now, or before anyone uses Redis again. */
  insist(name: string, command: Command<unknown>): Promise<void>
  /** Milliseconds there and back; undefined when there is no answer. */
  ping(): Promise<number | undefined>
  status(): 'ok' | 'down' | 'disabled'
  close(): void
}

/** Never waits: until the connection stands, Redis counts as away. */
export function openRedis({ REDIS_URL, log }: { REDIS_URL?: string; log: Log }): Redis {
  if (!REDIS_URL) return noRedis
  const client = connect(REDIS_URL)
  const owed = new Map<string, Command<unknown>>()
  let state: 'starting' | 'up' | 'away' | 'closed' = 'starting'
  let failuresInARow = 0
  let isComingBack = false
  let quietUntilMs = 0

  client.on('ready', comeBack)
  client.on('error', (error) => leave(reasonOf(error)))
  client.on('close', () => leave('connection closed'))
  const lookAgain = setInterval(comeBack, lookAgainEveryMs).unref()

  async function run<T>(command: Command<T>): Promise<T | undefined> {
    if (state !== 'up') return undefined
    try {
      const answer = await within(answerWithinMs, command(client))
      failuresInARow = 0
      return answer
    } catch (error) {
      blame(error)
      return undefined
    }
  }

  async function insist(name: string, command: Command<unknown>): Promise<void> {
    if (state === 'up' && (await succeeds(command))) return
    if (owed.size < maxOwed) owed.set(name, command)
    leave('a change was not taken')
  }

  const succeeds = (command: Command<unknown>) =>
    within(answerWithinMs, command(client)).then(
      () => true,
      () => false,
    )

  function blame(error: unknown): void {
    if (isRefusal(error)) {
      complain(reasonOf(error))
      return
    }
    failuresInARow += 1
    if (failuresInARow >= failuresUntilAway) leave(reasonOf(error))
  }

  /** A full Redis refuses every write: once a minute is enough to hear of it. */
  function complain(reason: string): void {
    if (performance.now() < quietUntilMs) return
    quietUntilMs = performance.now() + 60_000
    log.warn({ reason }, 'Redis refused a command')
  }

  function leave(reason: string): void {
    if (state === 'away' || state === 'closed') return
    state = 'away'
    log.warn({ reason }, 'Redis is away: going on without it')
  }

  /** One probe at a time, paid by nobody's request. */
  async function comeBack(): Promise<void> {
    if (state === 'up' || isComingBack || client.status !== 'ready') return
    isComingBack = true
    try {
      await within(answerWithinMs, client.ping())
      await payWhatIsOwed()
      if (state === 'away') log.info('Redis is back')
      if (state !== 'closed') state = 'up'
      failuresInARow = 0
    } catch {
      leave('no answer')
    } finally {
      isComingBack = false
    }
  }

  async function payWhatIsOwed(): Promise<void> {
    while (owed.size) {
      const some = [...owed].slice(0, owedAtOnce)
      await within(deadSocketAfterMs, Promise.all(some.map(([, command]) => command(client))))
      for (const [name, command] of some) if (owed.get(name) === command) owed.delete(name)
    }
  }

  return {
    run,
    insist,
    async ping() {
      const start = performance.now()
      const answer = await run((redis) => redis.ping())
      return answer === undefined ? undefined : performance.now() - start
    },
    status: () => (state === 'up' ? 'ok' : 'down'),
    close() {
      state = 'closed'
      clearInterval(lookAgain)
      client.disconnect()
    },
  }
}

const noRedis: Redis = {
  run: async () => undefined,
  insist: async () => {},
  ping: async () => undefined,
  status: () => 'disabled',
  close: () => {},
}

const connect = (url: string) =>
  new Client(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: deadSocketAfterMs,
    socketTimeout: deadSocketAfterMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
    // After a failover the old primary still listens, but takes no writes: the address may lead to the new one by now.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  })

const isRefusal = (error: unknown) => error instanceof Error && error.name === 'ReplyError'

/** A word for the log. The message itself may hold addresses or values. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (isRefusal(error)) return error.message.split(' ', 1)[0] ?? error.name
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
