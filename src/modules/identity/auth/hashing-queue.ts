import { availableParallelism } from 'node:os'
import { rateLimited } from '#platform/errors'

const maxAtOnce = 2 * availableParallelism()
const maxWaiting = 200
const retryAfterSeconds = 2

let running = 0
const waiting: (() => void)[] = []

/** A flood of sign-ins is a flood of work for the processor: so many at once, so many in line, and no more. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  await takeTurn()
  try {
    return await work()
  } finally {
    passTurnOn()
  }
}

async function takeTurn(): Promise<void> {
  if (running < maxAtOnce) {
    running++
    return
  }
  if (waiting.length >= maxWaiting)
    throw rateLimited(retryAfterSeconds, 'Too many people are signing in. Try again in a moment.')
  await new Promise<void>((resolve) => waiting.push(resolve))
}

function passTurnOn(): void {
  const next = waiting.shift()
  if (next) next()
  else running--
}
