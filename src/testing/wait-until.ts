import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** Reads a value repeatedly until `isDone` accepts it, and returns it. */
export async function waitForValue<T>(
  read: () => T | Promise<T>,
  isDone: (value: T) => boolean,
  seconds = 60,
): Promise<T> {
  const deadline = Date.now() + seconds * 1_000
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    const value = await read()
    if (isDone(value)) return value
    if (Date.now() > deadline) throw new Error(`Not done within ${seconds} seconds: ${JSON.stringify(value)}`)
    await sleep(pauseMs)
  }
}

/** Most values are there after some milliseconds. What takes longer waits for a worker, from which every read takes processor time. */
const maxPauseMs = 200

export async function waitUntil(condition: () => boolean | Promise<boolean>, seconds?: number): Promise<void> {
  await waitForValue(condition, Boolean, seconds)
}

/** Waits until that many sessions of the database wait for a lock, or one of the requests has ended by its lock timeout. */
export async function waitForBlockedSessions(
  owner: pg.Pool,
  count: number,
  requests: readonly Promise<unknown>[] = [],
): Promise<void> {
  let hasEnded = false
  const markEnded = () => {
    hasEnded = true
  }
  for (const request of requests) request.then(markEnded, markEnded)
  const blocked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitUntil(async () => hasEnded || (await owner.query(blocked)).rowCount! >= count)
}
