import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { addMembers, campaignsUrl, newCampaign, newLead, updateCampaign } from './campaigns.fixture.ts'

const { tenant } = await startTestApp()

type Status = { key: string; is_response: boolean }
const toText = (statuses: Status[]) => statuses.map(({ key, is_response }) => key + (is_response ? '*' : '')).join(' ')

test('crm-4-1 types have their default statuses, a campaign needs a type, and its name is unique', async () => {
  const acme = await tenant()

  const types = (await acme.viewer.get(`${campaignsUrl}types`)).body
  const withoutType = await acme.member.post(campaignsUrl, { name: 'Spring' })
  const created = await acme.member.post(campaignsUrl, { name: 'Spring', type: 'webinar' })
  const repeated = await acme.member.post(campaignsUrl, { name: 'SPRING', type: 'email' })

  const simple = 'targeted responded*'
  const advertising = 'targeted clicked* converted*'
  const event = 'invited registered* attended* no_show'
  assert.equal(types.total, 14)
  assert.deepEqual(
    types.items.map((type: { key: string; default_member_statuses: Status[] }) => [
      type.key,
      toText(type.default_member_statuses),
    ]),
    [
      ['email', 'targeted sent opened clicked* replied* bounced unsubscribed'],
      ['webinar', event],
      ['event', event],
      ['paid_search', advertising],
      ['paid_social', advertising],
      ['display', advertising],
      ['content', 'targeted downloaded*'],
      ['direct_mail', 'sent responded*'],
      ['telemarketing', 'targeted reached responded*'],
      ['social', simple],
      ['referral', simple],
      ['partner', simple],
      ['product', simple],
      ['other', simple],
    ],
  )
  assert.deepEqual([withoutType.status, withoutType.body.errors[0].path], [422, '/type'])
  assert.equal(created.status, 201)
  assert.deepEqual([created.body.status, toText(created.body.member_statuses)], ['draft', event])
  assert.deepEqual([repeated.status, repeated.body.existing_id], [409, created.body.id])
})

test('crm-4-2 the status follows the state machine, and only managers reactivate a completed campaign', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  const setStatus = (status: string, user = acme.member) => user.patch(`${campaignsUrl}${id}`, { status })

  const skipped = await setStatus('completed')
  const active = await setStatus('active')
  const completed = await setStatus('completed')
  const byMember = await setStatus('active')
  const byManager = await setStatus('active', acme.manager)

  assert.equal(skipped.status, 409)
  assert.deepEqual(
    [skipped.body.code, skipped.body.allowed],
    ['invalid_transition', ['scheduled', 'active', 'archived']],
  )
  assert.equal(active.status, 200)
  assert.match(active.body.start_on, /^\d{4}-\d\d-\d\d$/)
  assert.equal(completed.status, 200)
  assert.deepEqual([byMember.status, byManager.status], [403, 200])
  const changes = (await acme.events()).filter((type) => type === 'campaign.status_changed')
  assert.equal(changes.length, 3)
})

test('a scheduled campaign needs a start in the future, and `end_on` must not be before `start_on`', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  const patch = (changes: object) => acme.member.patch(`${campaignsUrl}${id}`, changes)

  const missing = await patch({ status: 'scheduled' })
  const past = await patch({ status: 'scheduled', start_on: '2020-01-01' })
  const order = await patch({ start_on: '2099-02-01', end_on: '2099-01-31' })
  const future = await patch({ status: 'scheduled', start_on: '2099-02-01' })

  assert.deepEqual([missing.status, missing.body.errors[0].path], [422, '/start_on'])
  assert.equal(past.status, 422)
  assert.deepEqual([order.status, order.body.errors[0].path], [422, '/end_on'])
  assert.equal(future.status, 200)
})

test('crm-4-8 a campaign with members is archived instead of deleted, and an archived one is read-only', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  await addMembers(acme, id, { lead_ids: [await newLead(acme)] })
  await updateCampaign(acme, id, { status: 'active' })

  const rejected = await acme.manager.delete(`${campaignsUrl}${id}`)
  const type = await acme.manager.patch(`${campaignsUrl}${id}`, { type: 'event' })
  await updateCampaign(acme, id, { status: 'completed' })
  const added = await acme.member.post(`${campaignsUrl}${id}/members`, { lead_ids: [await newLead(acme)] })
  await updateCampaign(acme, id, { status: 'archived' })
  const renamed = await acme.manager.patch(`${campaignsUrl}${id}`, { name: 'Autumn' })
  const tagged = await acme.manager.patch(`${campaignsUrl}${id}`, { tags: ['old'] })

  assert.deepEqual([rejected.status, rejected.body.code], [409, 'campaign_has_members'])
  assert.deepEqual([type.status, type.body.code], [409, 'campaign_has_members'])
  assert.deepEqual([added.status, added.body.code], [409, 'campaign_closed'])
  assert.deepEqual([renamed.status, renamed.body.code], [409, 'campaign_archived'])
  assert.deepEqual([tagged.status, tagged.body.tags], [200, ['old']])
})

test('drafts are deleted with their members, by managers and owners', async () => {
  const acme = await tenant()
  const campaign = await newCampaign(acme, { tags: ['spring'] })
  const foreign = (await acme.manager.post(campaignsUrl, { name: 'Of the manager', type: 'event' })).body
  await addMembers(acme, campaign.id, { lead_ids: [await newLead(acme)] })

  const forbidden = await acme.member.delete(`${campaignsUrl}${foreign.id}`)
  const deleted = await acme.member.delete(`${campaignsUrl}${campaign.id}`)

  assert.deepEqual([forbidden.status, deleted.status], [403, 204])
  assert.equal((await acme.member.get(`${campaignsUrl}${campaign.id}`)).status, 404)
  const { rows } = await acme.sql(
    `select (select count(*)::integer from marketing.campaign_members where tenant_id = $1) as members,
       (select count(*)::integer from marketing.campaign_counts where tenant_id = $1) as counts,
       (select count(*)::integer from crm.record_tags where tenant_id = $1) as tags`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ members: 0, counts: 0, tags: 0 }])
})

test('crm-4-11 a campaign of another workspace is not found', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const { id } = await newCampaign(other)
  const lists = ['', '/contacts', '/kpis', '/leads', '/members', '/opps']

  const responses = [
    ...(await Promise.all(lists.map((list) => acme.admin.get(`${campaignsUrl}${id}${list}`)))),
    await acme.admin.patch(`${campaignsUrl}${id}`, { name: 'Mine' }),
    await acme.admin.delete(`${campaignsUrl}${id}`),
    await acme.admin.post(`${campaignsUrl}${id}/members`, { lead_ids: [newId()] }),
    await acme.admin.post(`${campaignsUrl}${id}/members/bulk-status`, { member_ids: [newId()], status: 'sent' }),
    await acme.admin.patch(`${campaignsUrl}${id}/members/${newId()}`, { note: 'x' }),
    await acme.admin.delete(`${campaignsUrl}${id}/members/${newId()}`),
  ]

  assert.deepEqual(
    responses.map(({ status }) => status),
    responses.map(() => 404),
  )
  assert.equal((await acme.admin.get(campaignsUrl)).body.total, 0)
})

test('the list has active campaigns first, then by start, and pages neither repeat nor skip', async () => {
  const acme = await tenant()
  const names = ['draft', 'late', 'early', 'unplanned', 'done', 'planned']
  const ids = new Map<string, string>()
  for (const name of names) ids.set(name, (await newCampaign(acme, { name, type: 'event' })).id)
  const set = (name: string, changes: object) => updateCampaign(acme, ids.get(name)!, changes)
  await set('late', { start_on: '2026-03-01', status: 'active' })
  await set('early', { start_on: '2026-01-01', status: 'active' })
  await set('unplanned', { start_on: '2026-02-01', status: 'active' })
  await set('unplanned', { start_on: null })
  await set('done', { status: 'active', start_on: '2026-05-01' })
  await set('done', { status: 'completed' })
  await set('planned', { status: 'scheduled', start_on: '2099-01-01' })
  const namesOf = async (query: string) =>
    (await acme.viewer.get(`${campaignsUrl}?${query}`)).body.items.map(({ name }: { name: string }) => name)

  const paged: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await acme.viewer.get(`${campaignsUrl}?limit=2${cursor && `&cursor=${cursor}`}`)
    paged.push(...body.items.map(({ name }: { name: string }) => name))
    cursor = body.next_cursor
  }

  const expected = ['late', 'early', 'unplanned', 'planned', 'draft', 'done']
  assert.deepEqual(await namesOf(''), expected)
  assert.deepEqual(paged, expected)
  assert.deepEqual(await namesOf('status=completed,active'), ['late', 'early', 'unplanned', 'done'])
  assert.deepEqual(await namesOf('type=email'), [])
  assert.deepEqual(await namesOf('search=LATE'), ['late'])
  assert.deepEqual(await namesOf('active_on=2026-02-15'), ['early'])
  assert.deepEqual(await namesOf('owner_id=me'), [])
})

test('tags, amounts, parents and statuses are stored and checked', async () => {
  const acme = await tenant()
  const euros = (amount: string) => ({ amount, currency: 'EUR' })
  const parent = await newCampaign(acme)
  const child = await newCampaign(acme, {
    parent_campaign_id: parent.id,
    budget: euros('5000'),
    actual_cost: euros('4000.5'),
    tags: ['vip'],
    owner_id: acme.member.userId,
    utm_campaign: 'Spring',
    expected_responses: 20,
    description: 'Launch',
  })
  const grandchild = await newCampaign(acme, { parent_campaign_id: child.id })
  const post = (more: object) => acme.member.post(campaignsUrl, { name: 'Other', type: 'email', ...more })
  const statuses = (...keys: string[]) => keys.map((key) => ({ key, label: key, is_response: key === 'b' }))

  const tooDeep = await post({ parent_campaign_id: grandchild.id })
  const cycle = await acme.member.patch(`${campaignsUrl}${parent.id}`, { parent_campaign_id: child.id })
  const sameUtm = await post({ utm_campaign: 'SPRING' })
  const noResponse = await post({ member_statuses: statuses('a', 'c') })
  const repeated = await post({ member_statuses: statuses('a', 'b', 'b') })
  const unknownOwner = await post({ owner_id: newId() })
  const negative = await post({ budget: euros('-1') })
  const custom = await post({ member_statuses: statuses('a', 'b') })

  assert.deepEqual([child.parent.name, child.owner.name], [parent.name, acme.member.name])
  assert.deepEqual([child.budget, child.actual_cost], [euros('5000.00'), euros('4000.50')])
  assert.deepEqual(
    [tooDeep, cycle, noResponse, repeated, unknownOwner, negative].map(({ status, body }) => [
      status,
      body.errors[0].path,
    ]),
    [
      [422, '/parent_campaign_id'],
      [422, '/parent_campaign_id'],
      [422, '/member_statuses'],
      [422, '/member_statuses/2/key'],
      [422, '/owner_id'],
      [422, '/budget/amount'],
    ],
  )
  assert.equal(sameUtm.status, 409)
  assert.equal(custom.status, 201)
  const tagged = (await acme.viewer.get(`${campaignsUrl}?tag=vip`)).body.items
  assert.deepEqual(
    tagged.map(({ id }: { id: string }) => id),
    [child.id],
  )
})

test('a member status in use cannot be removed', async () => {
  const acme = await tenant()
  const { id, member_statuses } = await newCampaign(acme, { type: 'other' })
  await addMembers(acme, id, { lead_ids: [await newLead(acme)] })
  const [, responded] = member_statuses
  const added = { key: 'asked', label: 'Asked', is_response: false }

  const removed = await acme.member.patch(`${campaignsUrl}${id}`, { member_statuses: [responded, added] })
  const kept = await acme.member.patch(`${campaignsUrl}${id}`, { member_statuses: [...member_statuses, added] })

  assert.deepEqual(
    [removed.status, removed.body.code, removed.body.member_status],
    [409, 'member_status_in_use', 'targeted'],
  )
  assert.equal(kept.status, 200)
})

test('of concurrent creates with one name or key only one succeeds, and a stale version is rejected', async () => {
  const acme = await tenant()
  const create = () => acme.member.post(campaignsUrl, { name: 'Launch', type: 'email', utm_campaign: 'launch' })

  const statuses = (await Promise.all([create(), create(), create()])).map(({ status }) => status)
  const { id, version } = await newCampaign(acme)
  const ifMatch = { 'if-match': `"${version}"` }
  const first = await acme.member.patch(`${campaignsUrl}${id}`, { name: 'One' }, ifMatch)
  const second = await acme.member.patch(`${campaignsUrl}${id}`, { name: 'Two' }, ifMatch)

  assert.deepEqual(statuses.sort(), [201, 409, 409])
  assert.deepEqual([first.status, second.status], [200, 412])
})

test('viewers read campaigns but do not change them', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)

  const statuses = [
    await acme.viewer.get(`${campaignsUrl}${id}`),
    await acme.viewer.post(campaignsUrl, { name: 'x', type: 'email' }),
    await acme.viewer.patch(`${campaignsUrl}${id}`, { name: 'x' }),
    await acme.viewer.delete(`${campaignsUrl}${id}`),
    await acme.viewer.post(`${campaignsUrl}${id}/members`, { lead_ids: [newId()] }),
  ].map(({ status }) => status)

  assert.deepEqual(statuses, [200, 403, 403, 403, 403])
  assert.deepEqual(
    (await acme.audit()).filter((action) => action.startsWith('campaign.')),
    ['campaign.created'],
  )
})
