import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTenantSchedule } from '#testing'
import { plgSettingsUrl, sendEvents, startUsageApp, usageEvent } from '../plg.fixture.ts'
import { processMarksSchedule } from './process-marks.jobs.ts'

const { tenant, services, systemDb } = await startUsageApp()
type Acme = Awaited<ReturnType<typeof tenant>>
const processMarks = () => runTenantSchedule({ db: services.db, systemDb }, processMarksSchedule(services))
const rule = {
  key: 'active',
  name: 'Active',
  kind: 'person',
  window_days: 7,
  all: [{ event: 'opened', min_events: 1 }],
}
const setRule = (acme: Acme, fields = {}) => acme.manager.put(plgSettingsUrl, { pql_rules: [{ ...rule, ...fields }] })
const opened = (user_ref: string) =>
  usageEvent({ user_ref, name: 'opened', user: { email: `${user_ref}@many.example` } })
const countDue = async (acme: Acme) =>
  (await acme.sql('select count(*)::int as n from plg.qualifications where tenant_id = $1 and effects_due', [acme.id]))
    .rows[0].n
const listMarked = async (acme: Acme): Promise<string[]> =>
  (
    await acme.sql(
      `select a.ref from plg.actor_marks m join plg.actors a on a.tenant_id = m.tenant_id and a.id = m.actor_id
       where m.tenant_id = $1 order by a.ref`,
      [acme.id],
    )
  ).rows.map(({ ref }: { ref: string }) => ref)

test('one run applies the effects of more qualifications than a batch, and a created lead does not repeat them', async () => {
  const acme = await tenant()
  await setRule(acme, { points: 0 })
  const people = Array.from({ length: 120 }, (_, n) => `p${n}`)
  await sendEvents(acme.manager, ...people.map(opened))
  await processMarks()
  assert.equal(await countDue(acme), 0)

  await acme.sql(
    `insert into plg.actor_marks (tenant_id, actor_id, ingest_seq)
     select tenant_id, id, nextval('plg.ingest_seq') from plg.actors where tenant_id = $1`,
    [acme.id],
  )
  const before = await acme.sql('select max(updated_at) as at from plg.qualifications where tenant_id = $1', [acme.id])
  await processMarks()
  const after = await acme.sql('select max(updated_at) as at from plg.qualifications where tenant_id = $1', [acme.id])
  assert.deepEqual(after.rows, before.rows)
})

test('an event that no rule counts does not mark an actor that was active on the day', async () => {
  const acme = await tenant()
  await setRule(acme)
  await sendEvents(acme.manager, opened('u1'), opened('u2'))
  await processMarks()

  await sendEvents(
    acme.manager,
    usageEvent({ user_ref: 'u1', name: 'other' }),
    usageEvent({ user_ref: 'u2', name: 'opened' }),
  )

  assert.deepEqual(await listMarked(acme), ['u2'])
})

test('an effect that failed waits and does not stop the others', async () => {
  const acme = await tenant()
  await setRule(acme)
  await sendEvents(acme.manager, opened('u1'), opened('u2'))
  await processMarks()
  await acme.sql(
    `update plg.qualifications set effects_due = true, effects_failures = 3, effects_retry_at = now() + interval '1 hour'
     where tenant_id = $1 and id = (select id from plg.qualifications where tenant_id = $1 order by id limit 1)`,
    [acme.id],
  )
  await acme.sql('update plg.qualifications set effects_due = true where tenant_id = $1', [acme.id])

  await processMarks()

  assert.equal(await countDue(acme), 1)
})
