import type { Clock } from '#platform/clock'

/** How many reads of the last hour found something, counted by the minute. */
export function countHits(clock: Clock) {
  const minutes = new Map<number, { hits: number; reads: number }>()
  const thisMinute = () => Math.floor(clock.now().getTime() / 60_000)

  function note(isHit: boolean): void {
    const minute = thisMinute()
    const counted = minutes.get(minute) ?? { hits: 0, reads: 0 }
    counted.reads += 1
    if (isHit) counted.hits += 1
    minutes.set(minute, counted)
    for (const old of minutes.keys()) if (old <= minute - 60) minutes.delete(old)
  }

  /** 0..1, or null when nothing was read. */
  function rate(): number | null {
    const counted = [...minutes].filter(([minute]) => minute > thisMinute() - 60).map(([, count]) => count)
    const reads = counted.reduce((sum, count) => sum + count.reads, 0)
    const hits = counted.reduce((sum, count) => sum + count.hits, 0)
    return reads === 0 ? null : hits / reads
  }

  return { note, rate }
}
