import { useEffect, useMemo } from 'react'
import { createStore, useStore } from '../../api/store.ts'
import type { Option } from '../../ui/field.tsx'
import { withCurrent } from './with-current.ts'

const batchSize = 20

const offsetOf = (zone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'

/** Reads the offset of each zone a few at a time, because each takes a few milliseconds and there are hundreds. */
export async function readOffsets(
  zones: readonly string[],
  read: (zone: string) => string,
  pause: () => Promise<unknown>,
): Promise<ReadonlyMap<string, string>> {
  const offsets = new Map<string, string>()
  for (const [at, zone] of zones.entries()) {
    if (at % batchSize === 0) await pause()
    offsets.set(zone, read(zone))
  }
  return offsets
}

const offsets = createStore<ReadonlyMap<string, string> | undefined>(undefined)
let isStarted = false

const nextIdle = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 200 }))

function loadOffsets(): void {
  if (isStarted) return
  isStarted = true
  void readOffsets(listZones(), offsetOf, nextIdle).then(offsets.set)
}

const listZones = (): readonly string[] => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
]

const nameOf = (zone: string): string => zone.replaceAll('_', ' ')

export const describeTimeZone = (zone: string): string => `${nameOf(zone)} (${offsetOf(zone)})`

export function useTimeZones(current: string): readonly Option[] {
  const known = useStore(offsets)
  useEffect(loadOffsets, [])
  return useMemo(() => {
    const labelOf = (zone: string) => (known?.has(zone) ? `${nameOf(zone)} (${known.get(zone)})` : nameOf(zone))
    return withCurrent(
      listZones().map((zone) => ({ value: zone, label: labelOf(zone) })),
      current,
    )
  }, [known, current])
}
