import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const { tenant } = await startTestApp()

const emptyBook = { leads: null, contacts: null, accounts: null, opportunities: null, campaigns: null, rooms: null }
const noDeals = {
  open_count: 0,
  open_amount: { amount: '0.00', currency: 'EUR' },
  weighted_amount: { amount: '0.00', currency: 'EUR' },
  overdue_count: 0,
  won_count: 0,
  won_amount: { amount: '0.00', currency: 'EUR' },
  lost_count: 0,
  win_rate: null,
  average_cycle_days: null,
}

test('identity-4-12 a profile has zeros for a user without records, and nulls for parts that the caller cannot see', async () => {
  const acme = await tenant()
  const { body: created } = await acme.admin.post('/api/api-keys', { name: 'Phone book', scopes: ['users.read'] })
  const phoneBook = acme.bearer(`ApiKey ${created.key}`)
  const url = `/api/users/${acme.member.userId}/profile`

  const all = await acme.viewer.get(`${url}?period_days=30`)
  await acme.member.post('/api/leads/', { last_name: 'Moss', owner_id: acme.member.userId })
  const again = await acme.viewer.get(`${url}?period_days=30`)
  const restricted = await phoneBook.get(url)

  assert.equal(all.status, 200)
  assert.deepEqual(all.body.book.leads, { owned: 0, open: 0, by_status: {}, by_grade: {}, untouched_7d: 0 })
  assert.deepEqual(all.body.book.opportunities, noDeals)
  assert.deepEqual([all.body.enablement, all.body.concentration_rate], [null, null])
  assert.deepEqual([all.body.direct_reports, all.body.recent_activity], [[], []])
  const days = (Date.parse(all.body.period.to) - Date.parse(all.body.period.from)) / 86_400_000
  assert.equal(days, 30)
  assert.deepEqual(again.body.book, all.body.book, 'figures are cached for 30 seconds')
  assert.equal(restricted.status, 200)
  assert.deepEqual(restricted.body.book, emptyBook)
  assert.equal((await acme.viewer.get(`${url}?period_days=6`)).status, 422)
})

test('a profile shows the manager, the direct reports and recent activity', async () => {
  const acme = await tenant()
  const { body: team } = await acme.manager.post('/api/teams/', { name: 'Engines' })
  await acme.admin.patch(`/api/users/${acme.member.userId}`, { manager_id: acme.manager.userId })
  await acme.admin.patch('/api/admin/settings', { general: { locale: 'de' } })

  const manager = await acme.viewer.get(`/api/users/${acme.manager.userId}/profile`)
  const member = await acme.viewer.get(`/api/users/${acme.member.userId}/profile`)
  const adminSeenByViewer = await acme.viewer.get(`/api/users/${acme.admin.userId}/profile`)
  const adminSeenByAdmin = await acme.admin.get(`/api/users/${acme.admin.userId}/profile`)

  assert.deepEqual(manager.body.direct_reports, [{ id: acme.member.userId, name: acme.member.name }])
  assert.deepEqual(member.body.manager, { id: acme.manager.userId, name: acme.manager.name })
  assert.equal(manager.body.recent_activity.length, 1)
  assert.partialDeepStrictEqual(manager.body.recent_activity[0], {
    action: 'team.created',
    resource_type: 'team',
    resource_id: team.id,
    resource_label: 'Engines',
  })
  const actions = (response: typeof manager) =>
    response.body.recent_activity.map(({ action }: { action: string }) => action)
  assert.deepEqual(actions(adminSeenByViewer), ['user.updated'])
  assert.deepEqual(actions(adminSeenByAdmin), ['settings.updated', 'user.updated'])
})

test('a profile does not name records that may be hidden from the viewer', async () => {
  const acme = await tenant()
  const draft = { title: 'Secret launch', type: 'document', body: 'Prices' }
  await acme.member.post('/api/enablement/content/', draft)
  await acme.member.post('/api/leads/', { last_name: 'Moss' })
  const labelsFor = async (user: typeof acme.member) => {
    const { body } = await user.get(`/api/users/${acme.member.userId}/profile`)
    return body.recent_activity.map(({ resource_label }: { resource_label: string | null }) => resource_label)
  }

  for (const user of [acme.viewer, await acme.person('member')]) assert.deepEqual(await labelsFor(user), ['Moss', null])
  for (const user of [acme.member, acme.manager, acme.admin])
    assert.deepEqual(await labelsFor(user), ['Moss', 'Secret launch'])
})

test('an own profile that was changed in between is not overwritten', async () => {
  const { admin, member } = await tenant()
  const { headers } = await member.get(`/api/users/${member.userId}`)

  const first = await admin.patch(`/api/users/${member.userId}`, { title: 'Seller' })
  const late = await member.patch('/api/auth/profile', { title: 'Analyst' }, { 'if-match': headers.etag })
  const current = await member.patch('/api/auth/profile', { title: 'Analyst' }, { 'if-match': first.headers.etag })

  assert.deepEqual([late.status, late.body.code], [412, 'version_mismatch'])
  assert.deepEqual([current.status, current.body.title], [200, 'Analyst'])
})
