import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Actor } from '#platform/access'
import { inSystem, type Listener, type SystemDb, type SystemTx } from '#platform/db'
import { enqueueMany, type JobLog, onWake } from '#platform/jobs'
import { deliverEvent } from './deliver.ts'
import { outboxTopic } from './emit.ts'
import { followersOf } from './subscriptions.ts'

type Options = {
  systemDb: SystemDb
  /** Brings the notices. Without it, and while it hears nothing, events are found by looking. */
  listener?: Listener
  log: JobLog
  pollMilliseconds?: number
}

export type Relay = { stop(): Promise<void> }

const batchSize = 500
const restAfterTroubleMilliseconds = 1_000

/** Passes events on to those who subscribed to them. Any number of processes may run one. */
export async function startRelay({ systemDb, listener, log, pollMilliseconds = 1_000 }: Options): Promise<Relay> {
  const bell = ringable()
  let isStopping = false
  if (listener) await onWake(listener, (topic) => topic === outboxTopic && bell.ring())

  async function run(): Promise<void> {
    while (!isStopping) {
      try {
        if ((await relayBatch(systemDb)) < batchSize) await bell.wait(pollMilliseconds)
      } catch (err) {
        log.warn({ err }, 'events could not be passed on')
        await sleep(restAfterTroubleMilliseconds)
      }
    }
  }
  const running = run()

  return {
    async stop() {
      isStopping = true
      bell.ring()
      await running
    },
  }
}

/** One transaction: whoever is killed in it has passed nothing on. Tells how many events it found. */
export function relayBatch(systemDb: SystemDb): Promise<number> {
  return inSystem(systemDb, async (tx) => {
    const events = await claimUnpublished(tx)
    if (!events.length) return 0

    const orders = events.flatMap(({ id, tenant_id, type, origin }) =>
      followersOf(type).map(({ consumer }) => ({
        tenantId: tenant_id,
        payload: { event_id: id, consumer },
        origin,
      })),
    )
    await enqueueMany(tx, deliverEvent, orders)
    return events.length
  })
}

type Claimed = { id: string; tenant_id: string; type: string; origin: Actor['origin'] }

/** They count as published once their deliveries are ordered in the same transaction. */
async function claimUnpublished(tx: SystemTx): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    select id, tenant_id, type, origin from platform.claim_outbox_events(${sql.lit(batchSize)}) order by id
  `.execute(tx)
  return rows
}

/** A rest that ends early when the bell rings; a ring that nobody waits for is remembered. */
function ringable() {
  let hasRung = false
  let end: (() => void) | undefined
  return {
    ring() {
      hasRung = true
      end?.()
    },
    async wait(milliseconds: number): Promise<void> {
      if (!hasRung) {
        const early = new Promise<void>((resolve) => {
          end = resolve
        })
        const alarm = new AbortController()
        await Promise.race([early, sleep(milliseconds, undefined, { signal: alarm.signal }).catch(() => {})])
        alarm.abort()
        end = undefined
      }
      hasRung = false
    },
  }
}
