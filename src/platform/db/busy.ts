import { setTimeout as sleep } from 'node:timers/promises'
import { gotInTheWay, ranOutOfTime } from './failures.ts'

const attempts = 5
const pauseMs = 200

/** For work in the background that meets people at work: when they hold what it needs for too long, it tries again a little later. */
export async function retryWhileBusy<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attempts || !(ranOutOfTime(error) || gotInTheWay(error))) throw error
    }
    await sleep(pauseMs * 2 ** attempt, undefined, { signal })
  }
}
