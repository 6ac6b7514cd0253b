import { setNewest } from '#platform/cache'
import { type Clock, secondsLater } from '#platform/clock'

type Kept<T> = { answer: Promise<T>; since: Date; triedAt: Date }

const keptSeconds = 3_600
const pauseSeconds = 60
const maxKept = 1_000

/** What others publish at an address, fetched once an hour. Whoever asks meanwhile shares it; a failure is not kept. */
export function keepAnswers<T>(clock: Clock, fetchFrom: (address: string) => Promise<T>) {
  const kept = new Map<string, Kept<T>>()
  const isYoung = (since: Date, seconds: number) => clock.now() < secondsLater(since, seconds)

  function fetchNow(address: string): Promise<T> {
    const former = kept.get(address)
    const now = clock.now()
    const fresh: Kept<T> = { answer: fetchFrom(address), since: now, triedAt: now }
    setNewest(kept, address, fresh, maxKept)
    fresh.answer.catch(() => {
      if (kept.get(address) !== fresh) return
      if (former && isYoung(former.since, keptSeconds)) kept.set(address, { ...former, triedAt: now })
      else kept.delete(address)
    })
    return fresh.answer
  }

  return {
    get(address: string): Promise<T> {
      const known = kept.get(address)
      return known && isYoung(known.since, keptSeconds) ? known.answer : fetchNow(address)
    },
    /** Asks again before its time, though not more than once a minute. */
    getAnew(address: string): Promise<T> {
      const known = kept.get(address)
      return known && isYoung(known.triedAt, pauseSeconds) ? known.answer : fetchNow(address)
    },
  }
}
