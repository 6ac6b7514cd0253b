import { Readable } from 'node:stream'
import { scopesOfRole, systemActor, type UserActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import type { FileRow } from '#platform/files'
import { createRandom, type RecordReference, type SampleRecord, type Services, sampleLoader } from '#platform/module'

const defaultSeed = 20_240_501

type Loaded = { done: number; records: readonly SampleRecord[] }
type LoadedStep = Loaded & { total: number }

type LoadOptions = {
  tenantId: string
  userId: string
  now: Date
  seed?: number
  /** Share of the default number of records. */
  scale?: number
  /** Continues an interrupted load, with the same `now`, `seed` and `scale`. */
  loaded?: Loaded
  /** Called in the transaction of every step with the records it created. */
  save?(tx: TenantTx, step: LoadedStep): Promise<void>
  signal?: AbortSignal
}

/** Creates the sample data of all modules, one record after the other. Sends no email and calls no webhook. */
export async function loadSampleData(services: Services, options: LoadOptions): Promise<SampleRecord[]> {
  const { tenantId, userId, now, seed = defaultSeed, scale = 1, loaded, save, signal } = options
  const shares = services.registry.sampleDataOf(services)
  const steps = shares.flatMap((share) => share.plan({ random: createRandom(seed), now, scale }))
  const records = [...(loaded?.records ?? [])]
  const ids = new Map([[sampleLoader, userId], ...records.map(({ key, id }): [string, string] => [key, id])])
  const idOf = (key: string) => ids.get(key) ?? missing(key)

  for (let done = loaded?.done ?? 0; done < steps.length; done++) {
    signal?.throwIfAborted()
    const { author = sampleLoader, run, file } = steps[done]!
    const actor = toSampleActor(tenantId, idOf(author))
    const runStep = async (tx: TenantTx, stored?: FileRow) => {
      const created = await run(tx, actor, idOf, stored)
      await save?.(tx, { done: done + 1, total: steps.length, records: created })
      return created
    }
    const inSample = <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(services.db, actor, work)
    const created = file
      ? await services.files.store(
          { tenantId, inTenant: inSample },
          {
            ...file,
            chunks: Readable.from([file.content]),
            save: runStep,
          },
        )
      : await inSample((tx) => runStep(tx))
    for (const record of created) {
      records.push(record)
      ids.set(record.key, record.id)
    }
  }
  return records
}

function missing(key: string): never {
  throw new Error(`The sample record ${key} does not exist.`)
}

/** Subscribers and notifications ignore changes of this origin. */
const toSampleActor = (tenantId: string, userId: string): UserActor => ({
  ...systemActor(tenantId),
  origin: 'sample',
  userId,
  role: 'admin',
  scopes: scopesOfRole('admin'),
})

type RemoveOptions = { tenantId: string; records: readonly RecordReference[]; signal: AbortSignal }

/** Deletes exactly these records, in the opposite order of the modules. Returns those that other records need. */
export async function removeSampleData(
  services: Services,
  { tenantId, records, signal }: RemoveOptions,
): Promise<RecordReference[]> {
  const actor = { ...systemActor(tenantId), origin: 'sample' as const }
  const run = {
    tenantId,
    signal,
    inTenant: <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(services.db, actor, work),
  }
  const kept: RecordReference[] = []
  for (const share of services.registry.sampleDataOf(services).toReversed())
    kept.push(...(await share.remove(run, records)))
  return kept
}
