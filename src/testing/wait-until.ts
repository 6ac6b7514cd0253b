import { setTimeout as sleep } from 'node:timers/promises'

/** Reads a value repeatedly until `isDone` accepts it, and returns it. */
export async function waitForValue<T>(
  read: () => T | Promise<T>,
  isDone: (value: T) => boolean,
  seconds = 30,
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
