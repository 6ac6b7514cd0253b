import type { Clock } from '#platform/clock'

export function createHitCounter(clock: Clock) {
  const minutes = new Map<number, { hits: number; reads: number }>()
  const thisMinute = () => Math.floor(clock.now().getTime() / 60_000)

  function record(isHit: boolean): void {
    const minute = thisMinute()
    const count = minutes.get(minute) ?? { hits: 0, reads: 0 }
    count.reads += 1
    if (isHit) count.hits += 1
    minutes.set(minute, count)
    for (const old of minutes.keys()) if (old <= minute - 60) minutes.delete(old)
  }

  function rate(): number | null {
    const counts = [...minutes].filter(([minute]) => minute > thisMinute() - 60).map(([, count]) => count)
    const reads = counts.reduce((sum, count) => sum + count.reads, 0)
    const hits = counts.reduce((sum, count) => sum + count.hits, 0)
    return reads === 0 ? null : hits / reads
  }

  return { record, rate }
}
