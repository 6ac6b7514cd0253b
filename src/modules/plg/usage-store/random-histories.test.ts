// Compares both stores. USAGE_RUNS sets the number of histories.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { DateRange } from '#platform/calendar'
import { listPeriods } from './periods.rules.ts'
import { startUsageStores } from './usage-store.fixture.ts'
import type { FunnelQuery } from './usage-store.ts'

const stores = await startUsageStores()

const names = ['a', 'b', 'c', 'idle']
const anyEvent = fc.record({
  name: fc.constantFrom(...names),
  at: fc
    .integer({ min: 0, max: 75 * 24 * 4 })
    .map((quarter) => new Date(Date.parse('2026-02-01') + quarter * 900_000).toISOString()),
  person: fc.option(fc.constantFrom('p0', 'p1', 'p2', 'p3', 'p4', 'p5'), { nil: undefined, freq: 6 }),
  account: fc.option(fc.constantFrom('account-0', 'account-1'), { nil: undefined }),
  event_id: fc.integer({ min: 0, max: 200 }).map(String),
})
const anyHistory = fc.record({
  timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Auckland', 'America/St_Johns'),
  kind: fc.constantFrom('person' as const, 'account' as const),
  batches: fc.array(fc.array(anyEvent, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 4 }),
  granularity: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
  steps: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 2, maxLength: 5 }),
  windowHours: fc.integer({ min: 1, max: 24 * 20 }),
  event: fc.option(fc.constantFrom('a', 'idle'), { nil: undefined }),
})

test('both stores give the same numbers for random histories', async () => {
  const runs = Number(process.env.USAGE_RUNS ?? 25)
  await fc.assert(
    fc.asyncProperty(anyHistory, async ({ batches, kind, granularity, steps, windowHours, event, timezone }) => {
      const zone = { timezone, inactive_events: ['idle'] }
      const pair = [stores.reference(zone), stores.PostgreSQL(zone)]
      const range: DateRange = { from: '2026-02-10', to: '2026-04-20' }
      const periods = listPeriods(
        '2026-04-10',
        granularity,
        granularity === 'day' ? 31 : granularity === 'week' ? 11 : 4,
      )
      const funnel: FunnelQuery = {
        kind,
        steps,
        window_seconds: windowHours * 3_600,
        since: new Date('2026-02-05T03:00:00Z'),
        until: new Date('2026-04-12T00:00:00Z'),
      }
      const windows = [range, { from: '2026-03-30', to: '2026-04-05' }, { from: '2026-02-28', to: '2026-03-01' }]
      const results = []
      for (const { send, store, idOf } of pair) {
        const stored: number[] = []
        for (const batch of batches)
          stored.push(await send(...batch.filter(({ person, account }) => person || account)))
        const measured = await store.measureActors({
          kind,
          actor_ids: (kind === 'person' ? ['p0', 'p3'] : ['account-1', 'account-0']).map(idOf),
          name: event ?? null,
          range,
        })
        results.push({
          stored,
          days: await store.listDayNumbers({ kind, range }),
          distinct: await store.countDistinctActive({ kind, windows }),
          growth: await store.countGrowth({ kind, buckets: periods }),
          retention: await store.countRetention({ kind, granularity, periods, event }),
          top: await store.listTopEvents({ range, limit: 3 }),
          funnel: await store.countFunnel(funnel),
          activation: await store.countActivation({ range, today: '2026-04-01', events: ['a', 'b'], within_days: 5 }),
          measured: measured.map(({ events, days, people }) => [events, days, people]),
        })
      }
      assert.deepEqual(results[1], results[0])
    }),
    { numRuns: runs },
  )
})
