import { systemActor } from '#platform/access'
import { createPartitionsBetween, inSystem, inTenant, type SystemTx } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { createPostgresUsageStore } from './postgres-usage-store.ts'
import { createReferenceUsageStore } from './reference-usage-store.fixture.ts'
import type { UsageEvent, UsageStore } from './usage-store.ts'

type Zone = { timezone: string; inactive_events: string[] }
type TestEvent = { name: string; at: string; person?: string; account?: string; event_id?: string; properties?: object }
export type Harness = { store: UsageStore; send(...events: TestEvent[]): Promise<number>; idOf(ref: string): string }

/** Actors have one id per ref, and people belong to the account with the same last letter. */
function createIds() {
  const ids = new Map<string, string>()
  const idOf = (ref: string) => {
    if (!ids.has(ref)) ids.set(ref, newId())
    return ids.get(ref)!
  }
  return { ids, idOf }
}

const accountRefOf = (person: string) => `account-${person.at(-1)}`

function createHarness(
  store: UsageStore,
  idOf: (ref: string) => string,
  prepare: (events: TestEvent[]) => Promise<void>,
) {
  let seq = 0
  return {
    store,
    idOf,
    async send(...events: TestEvent[]) {
      await prepare(events)
      seq += 1024
      const rows = events.map(
        ({ name, at, person, account, event_id = newId(), properties = null as object | null }, index): UsageEvent => ({
          event_id,
          seq: seq + index,
          name,
          person_id: person ? idOf(person) : null,
          account_id: account ? idOf(account) : null,
          occurred_at: new Date(at),
          properties,
        }),
      )
      return (await store.append(rows, new Date())).stored.length
    },
  } satisfies Harness
}

type OpenStore = (zone: Partial<Zone>) => Harness

/** Returns functions that open an empty store of each kind. */
export async function startUsageStores(): Promise<Record<'reference' | 'PostgreSQL', OpenStore>> {
  const { db, systemDb, owner } = await startTestDb()
  const partitions = {
    inSystem: <T>(work: (tx: SystemTx) => Promise<T>) => inSystem(systemDb, work),
    signal: AbortSignal.timeout(60_000),
  }
  await createPartitionsBetween(partitions, 'plg.events', {
    since: new Date('2026-01-01'),
    until: new Date('2026-12-31'),
  })

  return {
    reference({ timezone = 'UTC', inactive_events = [] }) {
      const { ids, idOf } = createIds()
      const refOf = (id: string) => [...ids].find(([, known]) => known === id)![0]
      const accountOf = (personId: string) => idOf(accountRefOf(refOf(personId)))
      return createHarness(
        createReferenceUsageStore({ timezone, inactive_events, counted: null, accountOf }),
        idOf,
        async () => {},
      )
    },
    PostgreSQL({ timezone = 'UTC', inactive_events = [] }) {
      const { idOf } = createIds()
      const tenantId = newId()
      const state = { generation: 1, timezone, inactive_events, counted: null, next: null }
      const store = new Proxy({} as UsageStore, {
        get:
          (_, method: keyof UsageStore) =>
          (...input: never[]) =>
            inTenant(db, systemActor(tenantId), (tx) => {
              const call = createPostgresUsageStore(tx, state)[method] as (...values: never[]) => Promise<unknown>
              return call(...input)
            }),
      })
      const known = new Set<string>()
      const insert = async (ref: string, isAccount: boolean, accountId: string | null) => {
        if (known.has(ref)) return
        known.add(ref)
        await owner.query(`select set_config('app.tenant_id', $1, false)`, [tenantId])
        await owner.query(
          `insert into plg.actors (tenant_id, id, is_account, ref, account_actor_id, first_seen_at, last_seen_at)
         values ($1, $2, $3, $4, $5, now(), now())`,
          [tenantId, idOf(ref), isAccount, ref, accountId],
        )
      }
      return createHarness(store, idOf, async (events) => {
        for (const { person } of events) {
          if (!person) continue
          await insert(accountRefOf(person), true, null)
          await insert(person, false, idOf(accountRefOf(person)))
        }
      })
    },
  }
}
