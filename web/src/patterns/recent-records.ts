import type { Schemas } from '../api/client.ts'
import { createStore } from '../api/store.ts'

export type FoundRecord = Schemas['FoundRecords']['items'][number]

const maxRecent = 5

/** Records that were opened in this tab, the last first. They are kept in memory only, because computers can be shared. */
export const recentRecords = createStore<readonly FoundRecord[]>([])

export function noteOpenedRecord(record: FoundRecord): void {
  const others = recentRecords.get().filter(({ path }) => path !== record.path)
  recentRecords.set([record, ...others].slice(0, maxRecent))
}
