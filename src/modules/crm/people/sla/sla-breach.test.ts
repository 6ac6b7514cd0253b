import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { startTestApp, waitForValue, waitUntil } from '#testing'
import { createActivity } from '../../work/activities/activities.service.ts'
import { type Acme, createLeadWith, leadsUrl } from '../leads/leads.fixture.ts'
import { scheduleSlaCheck } from './sla.jobs.ts'
import { checkSlaBreach } from './sla.service.ts'

const { tenant, db, services, clock, startTestWorker } = await startTestApp()
await startTestWorker()

type Id = { id: string }
const read = async (acme: Acme, { id }: Id) => (await acme.member.get(`${leadsUrl}${id}`)).body
const post = async (acme: Acme, path: string, body?: object) => {
  const response = await acme.manager.post(`${leadsUrl}${path}`, body)
  assert.ok(response.status < 300, JSON.stringify(response.body))
  return response.body
}
const inSystem = <T>(acme: Acme, work: Parameters<typeof inTenant<T>>[2]) => inTenant(db, systemActor(acme.id), work)
const countBreaches = async (acme: Acme) => (await acme.events()).filter((type) => type === 'lead.sla_breached').length

/** Moves the deadline into the past. */
const expire = (acme: Acme, { id }: Id) =>
  acme.sql(`update crm.leads set sla_due_at = created_at + interval '1 millisecond' where id = $1`, [id])

/** Lets the timer of a lead run now and waits for it. */
async function runTimer(acme: Acme, { id }: Id): Promise<void> {
  await inSystem(acme, (tx) => scheduleSlaCheck(tx, id, clock.now()))
  const waiting = `select from pgboss.job where group_id = $1::text and data #>> '{payload,lead_id}' = $2
    and state in ('created', 'retry', 'active') and start_after <= now() + interval '1 minute'`
  await waitUntil(async () => (await acme.sql(waiting, [acme.id, id])).rowCount === 0)
}

const waitForBreach = (acme: Acme, lead: Id) =>
  waitForValue(
    () => read(acme, lead),
    ({ sla_breached_at }) => sla_breached_at !== null,
  )

test('crm-1-11 a call is a response, a cadence email is not, and a missed deadline is reported once', async () => {
  const acme = await tenant()
  const [answered, mailed] = [await createLeadWith(acme, {}), await createLeadWith(acme, {})]

  const call = await post(acme, `${answered.id}/activities`, { type: 'call' })
  for (const type of ['email', 'email_sent'] as const)
    await inSystem(acme, (tx) =>
      createActivity(tx, systemActor(acme.id), { kind: 'lead', id: mailed.id }, { type, source: 'cadence' }, services),
    )

  const met = { status: 'contacted', first_responded_at: call.occurred_at, sla_status: 'met' }
  assert.equal(call.direction, 'out')
  assert.partialDeepStrictEqual(await read(acme, answered), met)
  const waiting = { status: 'new', first_responded_at: null }
  assert.partialDeepStrictEqual(await read(acme, mailed), { ...waiting, sla_status: 'pending' })
  await runTimer(acme, mailed)
  assert.equal((await read(acme, mailed)).sla_breached_at, null, 'the deadline has not passed')
  await expire(acme, mailed)
  await acme.sql('update crm.leads set sla_due_at = first_responded_at where id = $1', [answered.id])
  for (const lead of [answered, mailed, mailed]) await runTimer(acme, lead)

  const breached = await waitForBreach(acme, mailed)
  assert.partialDeepStrictEqual(breached, { ...waiting, sla_status: 'breached', version: 1 })
  assert.partialDeepStrictEqual(await read(acme, answered), { sla_status: 'met', sla_breached_at: null })
  assert.equal(await countBreaches(acme), 1)
  assert.equal((await acme.audit()).filter((action) => action === 'lead.sla_breached').length, 1)
})

test('concurrent checks record one breach, at the time of the first', async () => {
  const acme = await tenant()
  const lead = await createLeadWith(acme, {})
  const due = new Date(lead.sla_due_at)
  const late = new Date(due.getTime() + 60_000)
  const check = (now: Date) => inSystem(acme, (tx) => checkSlaBreach(tx, lead.id, now))

  assert.deepEqual(await check(new Date(due.getTime() - 1_000)), due)
  await Promise.all([check(late), check(late)])
  await check(new Date(late.getTime() + 1_000))

  assert.partialDeepStrictEqual(await read(acme, lead), { sla_breached_at: late.toISOString(), version: 1 })
  assert.equal(await countBreaches(acme), 1)
})

test('a lead that was deleted at its deadline breaches after it is restored', async () => {
  const acme = await tenant()
  const lead = await createLeadWith(acme, {})
  await expire(acme, lead)
  await acme.manager.delete(`${leadsUrl}${lead.id}`)
  await runTimer(acme, lead)
  assert.equal(await countBreaches(acme), 0)

  await post(acme, `${lead.id}/restore`)

  await waitForBreach(acme, lead)
  assert.equal(await countBreaches(acme), 1)
})

test('leads that were merged or answered by a merge at their deadline breach after the merge is undone', async () => {
  const acme = await tenant()
  const [answered, open, third] = [
    await createLeadWith(acme, {}),
    await createLeadWith(acme, {}),
    await createLeadWith(acme, {}),
  ]
  await post(acme, `${answered.id}/activities`, { type: 'call' })
  for (const lead of [open, third]) await expire(acme, lead)
  const { lead, merge_id } = await post(acme, `${open.id}/merge`, { duplicate_ids: [answered.id, third.id] })
  assert.ok(lead.first_responded_at)
  for (const lead of [open, third]) await runTimer(acme, lead)
  assert.equal(await countBreaches(acme), 0)

  await post(acme, `merges/${merge_id}/undo`)

  for (const lead of [open, third]) await waitForBreach(acme, lead)
  assert.equal((await read(acme, answered)).sla_status, 'met')
  assert.equal(await countBreaches(acme), 2)
})
