import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { FileRow, GeneratedFile } from '#platform/files'
import type { IntegrityRun, RecordReference } from './registries.ts'

/** `key` identifies the record among the sample data, whatever its id is. */
export type SampleRecord = RecordReference & { key: string }

/** Key of the user who loads the data, known to every step although it is no sample record. */
export const sampleLoader = 'user:loader'

/** One transaction. It may run again after a deadlock, so it changes nothing but rows. */
export type SampleStep = {
  /** Key of the user who acts; `sampleLoader` if it is left out. */
  author?: string
  /** A file of the step, whose bytes are stored before the transaction. */
  file?: Pick<GeneratedFile<never>, 'purpose' | 'filename' | 'type'> & { content: Buffer }
  run(tx: TenantTx, actor: UserActor, idOf: (key: string) => string, file?: FileRow): Promise<SampleRecord[]>
}

/** The sample data of one module. The plan depends on its arguments only, so that an interrupted load can be continued. */
export type SampleData = {
  name: string
  plan(options: { random: Random; now: Date; scale: number }): SampleStep[]
  /** Deletes records that it created and returns those that are kept because other records need them. */
  remove(run: IntegrityRun, records: readonly RecordReference[]): Promise<RecordReference[]>
}

/** Returns undefined for a record that does not exist: a smaller load has fewer deals. */
export function findSampleId(idOf: (key: string) => string, key: string): string | undefined {
  try {
    return idOf(key)
  } catch {
    return undefined
  }
}

export type Random = {
  integer(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
}

/** Deterministic pseudorandom numbers (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    integer,
    chance: (probability) => next() < probability,
    pick: (items) => items[integer(0, items.length - 1)]!,
  }
}
