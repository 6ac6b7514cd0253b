import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Actor } from '#platform/access'
import { inSystem, type Listener, type SystemDb, type SystemTx } from '#platform/db'
import { enqueueMany, type JobLog, onWake } from '#platform/jobs'
import type { TraceContext } from '#platform/telemetry'
import { registerConsumers } from './consumers.ts'
import { deliverEvent, deliverEvents, maxEventsPerJob } from './deliver.ts'
import { outboxTopic } from './emit.ts'
import { listBatchConsumers } from './subscriptions.ts'

type RelayOptions = {
  systemDb: SystemDb
  listener?: Listener
  log: JobLog
  pollMs?: number
}

export type Relay = { stop(): Promise<void> }

const batchSize = 500
const errorDelayMs = 1_000

export async function startRelay({ systemDb, listener, log, pollMs = 1_000 }: RelayOptions): Promise<Relay> {
  const wakeup = interruptibleSleep()
  let isStopping = false
  if (listener) await onWake(listener, (topic) => topic === outboxTopic && wakeup.interrupt())

  async function run(): Promise<void> {
    while (!isStopping) {
      try {
        if ((await relayBatch(systemDb)) < batchSize) await wakeup.sleep(pollMs)
      } catch (err) {
        log.warn({ err }, 'outbox relay failed')
        await sleep(errorDelayMs)
      }
    }
  }
  const running = run()

  return {
    async stop() {
      isStopping = true
      wakeup.interrupt()
      await running
    },
  }
}

/** Relays one batch in one transaction, so that a killed process relays nothing. Returns the number of events. */
export function relayBatch(systemDb: SystemDb): Promise<number> {
  return inSystem(systemDb, async (tx) => {
    // A relay that was suspended may find its consumers deleted, and would publish their events without a delivery.
    const [, events] = await Promise.all([registerConsumers(tx, { isRefresh: true }), claimUnpublished(tx)])
    if (!events.length) return 0

    const batchConsumers = listBatchConsumers(tx)
    const deliveries = events.flatMap(({ consumers, ...event }) => consumers.map((consumer) => ({ consumer, event })))
    const [batched, single] = partition(deliveries, ({ consumer }) => batchConsumers.has(consumer))
    await enqueueMany(tx, deliverEvent, single.map(toJob))
    await enqueueMany(tx, deliverEvents, toBatchJobs(batched))
    return events.length
  })
}

type Delivery = { consumer: string; event: Omit<ClaimedEvent, 'consumers'> }

function partition<T>(items: readonly T[], test: (item: T) => boolean): [matching: T[], others: T[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}

const toJob = ({ consumer, event: { id, tenant_id, origin, trace } }: Delivery) => ({
  tenantId: tenant_id,
  payload: { event_id: id, consumer },
  origin,
  ...(trace && { trace }),
})

/** Creates a job per consumer, tenant and origin for up to 100 events; one with a single event keeps its trace. */
function toBatchJobs(deliveries: readonly Delivery[]) {
  const groups = Map.groupBy(deliveries, ({ consumer, event }) => [consumer, event.tenant_id, event.origin].join(' '))
  return [...groups.values()].flatMap((group) => {
    const { consumer, event } = group[0]!
    const trace = group.length === 1 ? event.trace : null
    return chunk(group, maxEventsPerJob).map((part) => ({
      tenantId: event.tenant_id,
      origin: event.origin,
      payload: { event_ids: part.map((delivery) => delivery.event.id), consumer },
      ...(trace && { trace }),
    }))
  })
}

const chunk = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

type ClaimedEvent = {
  id: string
  tenant_id: string
  origin: Actor['origin']
  trace: TraceContext | null
  consumers: string[]
}

async function claimUnpublished(tx: SystemTx): Promise<ClaimedEvent[]> {
  const { rows } = await sql<ClaimedEvent>`
    select id, tenant_id, origin, trace, consumers from platform.claim_event_deliveries(${sql.lit(batchSize)}) order by id
  `.execute(tx)
  return rows
}

/** Creates a sleep that `interrupt` ends early; an interrupt between two sleeps ends the next one. */
function interruptibleSleep() {
  let isInterrupted = false
  let wake: (() => void) | undefined
  return {
    interrupt() {
      isInterrupted = true
      wake?.()
    },
    async sleep(milliseconds: number): Promise<void> {
      if (!isInterrupted) {
        const interrupted = new Promise<void>((resolve) => {
          wake = resolve
        })
        const timeout = new AbortController()
        await Promise.race([interrupted, sleep(milliseconds, undefined, { signal: timeout.signal }).catch(() => {})])
        timeout.abort()
        wake = undefined
      }
      isInterrupted = false
    },
  }
}
