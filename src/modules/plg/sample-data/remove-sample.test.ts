import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import { inTenant } from '#platform/db'
import { createRandom, type SampleRecord } from '#platform/module'
import { runTenantSchedule } from '#testing'
import { purgeEventsSchedule } from '../maintenance/purge-events.jobs.ts'
import { actorsUrl, plgSettingsUrl, sendEvents, startUsageApp, usageEvent } from '../plg.fixture.ts'
import { readRollUps } from '../rebuild/roll-ups.fixture.ts'
import { plgSample } from './plg-sample.ts'

const { tenant, services, systemDb } = await startUsageApp()
type Acme = Awaited<ReturnType<typeof tenant>>
const ago = (days: number) => daysLater(new Date(), -days).toISOString()

async function loadSample(acme: Acme): Promise<SampleRecord[]> {
  const leads = new Map<string, string>()
  for (const key of ['lead:1', 'lead:3', 'lead:5']) {
    const { body } = await acme.member.post('/api/leads/', {
      last_name: key,
      email: `${key.replace(':', '')}@x.example`,
    })
    leads.set(key, body.id)
  }
  const run = <T>(work: Parameters<typeof inTenant<T>>[2]) => inTenant(services.db, systemActor(acme.id), work)
  const records: SampleRecord[] = []
  for (const step of plgSample(services).plan({ random: createRandom(7), now: new Date(), scale: 0.05 }))
    records.push(...(await run((tx) => step.run(tx, undefined as never, (key) => leads.get(key)!))))
  return records
}

const removeSample = (acme: Acme, records: readonly SampleRecord[]) => {
  const run = <T>(work: Parameters<typeof inTenant<T>>[2]) => inTenant(services.db, systemActor(acme.id), work)
  return plgSample(services).remove({ inTenant: run, signal: AbortSignal.timeout(60_000) } as never, records)
}

const refsOf = async (acme: Acme): Promise<string[]> =>
  (await acme.viewer.get(`${actorsUrl}?limit=100`)).body.items.map(({ ref }: { ref: string }) => ref).sort()

test('removing sample data leaves the usage of the customer as it was, also that of deleted events and similar refs', async () => {
  const acme = await tenant()
  await acme.manager.put(plgSettingsUrl, { accept_past_days: 730 })
  await acme.admin.patch('/api/admin/settings', { retention: { plg_event_days: 90 } })
  await sendEvents(
    acme.manager,
    ...[100, 20, 1].map((days) => usageEvent({ user_ref: 'sample-kit-42', name: 'signed_in', occurred_at: ago(days) })),
    ...[119, 100, 0].map((days) =>
      usageEvent({ user_ref: 'real', account_ref: 'sample-team-x', name: 'page_viewed', occurred_at: ago(days) }),
    ),
  )
  await runTenantSchedule({ db: services.db, systemDb }, purgeEventsSchedule(services))
  const [refs, numbers] = [await refsOf(acme), await readRollUps(acme)]

  const first = await loadSample(acme)
  assert.ok((await refsOf(acme)).length > refs.length)
  await removeSample(acme, first)
  const second = await loadSample(acme)
  await removeSample(acme, second)

  assert.deepEqual([first.length > 5, second.length], [true, first.length])
  assert.deepEqual(await refsOf(acme), refs)
  assert.deepEqual(await readRollUps(acme), numbers)
})
