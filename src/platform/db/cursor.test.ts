import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const { tenant } = await startTestApp()
const acme = await tenant()
const { admin, member } = acme

async function create(url: string, body: object): Promise<string> {
  const response = await admin.post(url, body)
  assert.equal(response.status, 201, response.text)
  return response.body.id
}

/** Creates two records of every kind, so that every list has a second page. */
async function createRecords() {
  const [team] = [await create('/api/teams/', { name: 'A' }), await create('/api/teams/', { name: 'B' })]
  for (const user_id of [admin.userId, member.userId]) await create(`/api/teams/${team}/members`, { user_id })
  for (const name of ['A', 'B']) {
    await create('/api/connected-apps', { name })
    await create('/api/api-keys', { name, scopes: ['leads.read'] })
    await create('/api/leads/', { last_name: name, company: name })
  }
  const account = await create('/api/accounts/', { name: 'A' })
  for (const last_name of ['C', 'D']) await create('/api/contacts/', { last_name, account_id: account })
  await create('/api/accounts/', { name: 'B' })
  const deal = { name: 'A', account_id: account, close_on: '2026-12-31' }
  const opportunity = await create('/api/opportunities/', deal)
  await create('/api/opportunities/', deal)
  for (const type of ['note', 'note']) await create(`/api/accounts/${account}/activities`, { type })
  return { team, account, opportunity }
}
const { team, account, opportunity } = await createRecords()

const lists = [
  '/api/users/?',
  '/api/users/forecast-users?',
  '/api/teams/?',
  `/api/teams/${team}/members?`,
  '/api/connected-apps?',
  '/api/api-keys?',
  '/api/admin/audit-log?',
  '/api/leads/?sort=-created_at&',
  '/api/leads/?sort=name&',
  '/api/leads/?sort=-score&',
  '/api/accounts/?sort=-updated_at&',
  '/api/opportunities/?sort=close_on&',
  '/api/opportunities/?sort=-amount&',
  `/api/accounts/${account}/contacts?`,
  `/api/accounts/${account}/activities?`,
]

/** Structures of cursors of lists that have one page here. */
const otherCursors: Record<string, unknown[]> = {
  [`/api/users/${member.userId}/login-history?`]: [team],
  '/api/users/admin/active-sessions?': ['2026-03-01T09:30:00.000Z', team],
  '/api/auth/notifications?': [team],
  '/api/tasks/?': [team],
  [`/api/opportunities/${opportunity}/history?`]: [1_772_357_400_000_000, team],
}

const unstorable = ['\0', 'a\0b', '\ud800']
const impossible = [
  '2016-12-31T23:59:60Z',
  '2026-03-01T00:00:00+16:00',
  '2026-02-30',
  'x'.repeat(300),
  0.5,
  9e15,
  1e18,
  null,
]

/** All copies of a JSON value with one of its leaves replaced. */
function replaceLeaves(value: unknown, replacement: unknown): unknown[] {
  if (!Array.isArray(value)) return [replacement]
  return value.flatMap((item, index) => replaceLeaves(item, replacement).map((changed) => value.with(index, changed)))
}

const encode = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url')
const decode = (cursor: string) => JSON.parse(Buffer.from(cursor, 'base64url').toString())

async function statusesOf(url: string, key: unknown, replacements: unknown[]) {
  const cursors = replacements.flatMap((replacement) => replaceLeaves(key, replacement)).map(encode)
  const responses = await Promise.all(cursors.map((cursor) => admin.get(`${url}cursor=${cursor}`)))
  return responses.map(({ status }) => status)
}

async function assertTamperingIsRejected(url: string, key: unknown) {
  const statuses = await statusesOf(url, key, unstorable)
  assert.ok(
    statuses.every((status) => status === 422),
    `${url} ${statuses}`,
  )
  const others = await statusesOf(url, key, impossible)
  assert.ok(
    others.every((status) => status === 422 || status === 200),
    `${url} ${others}`,
  )
}

test('a cursor with characters or values that PostgreSQL rejects is invalid in every list', async () => {
  for (const url of lists) {
    const { body, headers } = await admin.get(`${url}limit=1`)
    const cursor = body.next_cursor ?? /cursor=([\w-]+)/.exec(headers.link)?.[1]
    assert.ok(cursor, `${url} has no second page`)
    assert.equal((await admin.get(`${url}limit=1&cursor=${cursor}`)).status, 200, url)

    await assertTamperingIsRejected(url, decode(cursor))
  }
  for (const [url, key] of Object.entries(otherCursors)) {
    assert.equal((await admin.get(`${url}cursor=${encode(key)}`)).status, 200, url)

    await assertTamperingIsRejected(url, key)
  }
})
