import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { newCampaign } from '../../campaigns/campaigns/campaigns.fixture.ts'
import {
  allowSending,
  cadencesUrl,
  enroll,
  getCadence,
  getStats,
  listEnrollments,
  newActiveCadence,
  newCadence,
  newLead,
  updateCadence,
} from './cadences.fixture.ts'

const { tenant } = await startTestApp()

test('a cadence is created with its steps and the default times', async () => {
  const acme = await tenant()
  const campaign = await newCampaign(acme)

  const created = await newCadence(acme, {
    name: 'Fair',
    owner_id: acme.member.userId,
    campaign_id: campaign.id,
    description: 'After the fair',
  })
  const { body: listed } = await acme.viewer.get(cadencesUrl)

  assert.partialDeepStrictEqual(created, {
    name: 'Fair',
    status: 'draft',
    owner: { id: acme.member.userId },
    campaign: { id: campaign.id, name: campaign.name },
    window: { days: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' },
    timezone_mode: 'person',
    exit_on: { reply: true, meeting: true, bounce: true },
    reenroll_after_days: null,
    track_clicks: true,
    track_opens: false,
    enrolled_count: 0,
    live_count: 0,
    version: 1,
  })
  assert.deepEqual(
    created.steps.map(
      ({ position, type, delay_days, business_days, auto_skip_after_days }: Record<string, unknown>) => [
        position,
        type,
        delay_days,
        business_days,
        auto_skip_after_days,
      ],
    ),
    [
      [1, 'email_auto', 0, true, 5],
      [2, 'call', 2, true, 5],
    ],
  )
  assert.deepEqual(listed.items, [created])
  assert.deepEqual(await getCadence(acme, created.id), created)
  assert.ok((await acme.events()).includes('cadence.created'))
  assert.ok((await acme.audit()).includes('cadence.created'))
})

test('crm-5-1 a cadence is activated only with steps, a sender address and a postal address', async () => {
  const acme = await tenant()
  const { id } = await newCadence(acme)
  const empty = await newCadence(acme, { steps: [] })
  const activate = async (cadenceId: string) => {
    const { status, body } = await acme.member.patch(`${cadencesUrl}${cadenceId}`, { status: 'active' })
    return [status, body.code, body.reasons]
  }

  const { detail } = (await acme.member.patch(`${cadencesUrl}${id}`, { status: 'active' })).body
  const before = await activate(id)
  await allowSending(acme, { postal_address: null })
  const withoutPostalAddress = await activate(id)
  const withoutSteps = await activate(empty.id)
  await allowSending(acme)
  const ready = await acme.member.patch(`${cadencesUrl}${id}`, { status: 'active' })

  assert.deepEqual(before, [409, 'not_ready', ['no_from_address', 'no_postal_address']])
  assert.match(
    detail,
    /`crm\.sending\.from_address` is not set\..*`PATCH \/api\/admin\/settings`.*`crm\.sending\.postal_address`/,
  )
  assert.deepEqual(withoutPostalAddress, [409, 'not_ready', ['no_postal_address']])
  assert.deepEqual(withoutSteps, [409, 'not_ready', ['no_steps', 'no_postal_address']])
  assert.deepEqual([ready.status, ready.body.status], [200, 'active'])
  assert.ok((await acme.events()).includes('cadence.status_changed'))
})

test('invalid cadences are rejected', async () => {
  const acme = await tenant()
  await newCadence(acme, { name: 'Fair' })
  const { id: foreign } = await newCampaign(await tenant())
  const window = { days: [1], start: '17:00', end: '09:00' }
  const errorOf = async (input: object) => {
    const { status, body } = await acme.member.post(cadencesUrl, { name: 'Other', ...input })
    return [status, body.errors?.[0]?.path ?? body.code]
  }

  assert.deepEqual(await errorOf({ name: 'FAIR' }), [409, 'already_exists'])
  assert.deepEqual(await errorOf({ window }), [422, '/window/end'])
  assert.deepEqual(await errorOf({ timezone: 'Mars/Base' }), [422, '/timezone'])
  assert.deepEqual(await errorOf({ campaign_id: foreign }), [422, '/campaign_id'])
  assert.deepEqual(await errorOf({ owner_id: foreign }), [422, '/owner_id'])
  assert.deepEqual(await errorOf({ steps: Array.from({ length: 31 }, () => ({ type: 'call' })) }), [422, '/steps'])
})

test('the list has filters, and another workspace sees nothing', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const { id } = await newActiveCadence(acme, { name: 'Trade fair' })
  const draft = await newCadence(acme, { name: 'Webinar', description: 'For the fair' })
  const list = async (query: string, by = acme) =>
    (await by.viewer.get(`${cadencesUrl}?${query}`)).body.items.map((cadence: { id: string }) => cadence.id)

  assert.deepEqual(await list(''), [draft.id, id])
  assert.deepEqual(await list('status=active'), [id])
  assert.deepEqual(await list('status=active,draft'), [draft.id, id])
  assert.deepEqual(await list(`owner_id=${acme.member.userId}`), [id])
  assert.deepEqual(await list('search=fair%20web'), [draft.id])
  const first = await acme.viewer.get(`${cadencesUrl}?limit=1`)
  const second = await acme.viewer.get(`${cadencesUrl}?limit=1&cursor=${first.body.next_cursor}`)
  assert.deepEqual([first.body.total, second.body.items[0].id, second.body.next_cursor], [2, id, null])
  assert.deepEqual(await list('', other), [])
  const statuses = [
    await other.manager.get(`${cadencesUrl}${id}`),
    await other.manager.patch(`${cadencesUrl}${id}`, { name: 'Mine' }),
    await other.manager.put(`${cadencesUrl}${id}/steps`, { steps: [] }),
    await other.manager.delete(`${cadencesUrl}${draft.id}`),
    await acme.viewer.post(cadencesUrl, { name: 'New' }),
  ].map(({ status }) => status)
  assert.deepEqual(statuses, [404, 404, 404, 404, 403])
})

test('the list has the totals of the statistics on request', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const [sending, quiet] = [await newCadence(acme), await newCadence(acme)]
  const counts = { persons_delivered: 40, persons_replied: 6, exited_opted_out: 1, sent: 50, bounced: 2 }
  for (const [measure, value] of Object.entries(counts))
    await acme.sql(
      'insert into marketing.cadence_counts (tenant_id, cadence_id, step_id, measure, value) values ($1, $2, $2, $3, $4)',
      [acme.id, sending.id, measure, value],
    )

  const { body } = await acme.viewer.get(`${cadencesUrl}?include=results`)
  const { body: plain } = await acme.viewer.get(cadencesUrl)
  const { totals } = await getStats(acme, sending.id)

  const { sent, reply_rate, bounce_rate, opt_out_rate } = totals
  assert.deepEqual(
    body.items.map(({ id, results }: { id: string; results: object }) => [id, results]),
    [
      [quiet.id, { sent: 0, reply_rate: null, bounce_rate: null, opt_out_rate: null }],
      [sending.id, { sent, reply_rate, bounce_rate, opt_out_rate }],
    ],
  )
  assert.deepEqual([sent, reply_rate, bounce_rate, opt_out_rate], [50, 0.15, 0.04, 0.025])
  assert.deepEqual(plain.items, [quiet, sending])
  assert.deepEqual((await other.viewer.get(`${cadencesUrl}?include=results`)).body.items, [])
  assert.equal((await acme.viewer.get(`${cadencesUrl}?include=everything`)).status, 422)
})

test('status changes follow the allowed transitions, and archiving ends all enrollments', async () => {
  const acme = await tenant()
  const { id } = await newActiveCadence(acme, { owner_id: acme.manager.userId })
  await enroll(acme, id, { lead_ids: [await newLead(acme), await newLead(acme)] })
  const [first] = await listEnrollments(acme, id)
  await acme.member.patch(`${cadencesUrl}${id}/enrollments/${first.id}`, { status: 'paused' })

  const foreign = await acme.member.patch(`${cadencesUrl}${id}`, { status: 'archived' })
  const toDraft = await acme.manager.patch(`${cadencesUrl}${id}`, { status: 'draft' })
  const archived = await updateCadence(acme, id, { status: 'archived' })
  const later = await acme.manager.patch(`${cadencesUrl}${id}`, { description: 'Later' })
  const steps = await acme.manager.put(`${cadencesUrl}${id}/steps`, { steps: [{ type: 'call' }] })
  const deleted = await acme.manager.delete(`${cadencesUrl}${id}`)

  assert.deepEqual([foreign.status, foreign.body.code], [403, 'role_required'])
  assert.deepEqual([toDraft.status, toDraft.body.allowed], [409, ['paused', 'archived']])
  assert.deepEqual([archived.status, archived.live_count, archived.enrolled_count], ['archived', 0, 2])
  assert.deepEqual([later.body.code, steps.body.code], ['cadence_archived', 'cadence_archived'])
  assert.deepEqual([deleted.status, deleted.body.code], [409, 'cadence_has_enrollments'])
  const ended = await listEnrollments(acme, id, '?status=exited&exit_reason=archived')
  assert.equal(ended.length, 2)
  assert.equal((await acme.member.post(cadencesUrl, { name: archived.name })).status, 201)
})

test('only drafts are deleted, and the version of a request is checked', async () => {
  const acme = await tenant()
  const { id } = await newCadence(acme)
  const url = `${cadencesUrl}${id}`

  const changed = await acme.member.patch(url, { description: 'New' }, { 'if-match': '"1"' })
  const outdated = await acme.member.put(`${url}/steps`, { steps: [] }, { 'if-match': '"1"' })
  const deleted = await acme.manager.delete(url)

  assert.deepEqual([changed.status, changed.body.version], [200, 2])
  assert.equal(outdated.status, 412)
  assert.equal(deleted.status, 204)
  assert.equal((await acme.viewer.get(url)).status, 404)
})

test('a paused cadence plans the current steps of its enrollments again when it becomes active', async () => {
  const acme = await tenant()
  const { id } = await newActiveCadence(acme)
  await enroll(acme, id, { lead_ids: [await newLead(acme)] })
  const [before] = await listEnrollments(acme, id)

  await updateCadence(acme, id, { status: 'paused' })
  await acme.sql(`update marketing.cadence_step_runs set run_at = run_at - interval '21 days' where cadence_id = $1`, [
    id,
  ])
  await updateCadence(acme, id, { status: 'active' })

  const [after] = await listEnrollments(acme, id)
  assert.deepEqual([after.current_step_id, after.next_run_at >= before.next_run_at], [before.current_step_id, true])
  const { rows } = await acme.sql('select run_at from marketing.cadence_step_runs where cadence_id = $1', [id])
  assert.deepEqual(
    rows.map(({ run_at }) => run_at.toISOString()),
    [after.next_run_at],
  )
})
