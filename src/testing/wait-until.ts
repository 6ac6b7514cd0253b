import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** Reads a value repeatedly until `isDone` accepts it, and returns it. */
export async function waitForValue<T>(
  read: () => T | Promise<T>,
  isDone: (value: T) => boolean,
  seconds = 60,
): Promise<T> {
  const deadline = Date.now() + seconds * 1_000
  for (;;) {
    const value = await read()
    if (isDone(value)) return value
    if (Date.now() > deadline) throw new Error(`Not done within ${seconds} seconds: ${JSON.stringify(value)}`)
    await sleep(20)
  }
}

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
