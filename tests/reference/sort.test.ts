import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { loadSampleData } from '../../src/modules/operations/sample-data/sample-data.flow.ts'
import { operations, type Parameter } from './document.ts'

/** Lists with one order, and why. */
const withoutSort: Record<string, string> = {
  getPublicThread: 'a page for visitors, with the replies in the order of the thread',
  listPublicThreads: 'a page for visitors, with pinned threads first',
  listThreads: 'pinned threads first, then by the last activity, and by relevance with `search`',
  listExperts: 'an order of rating and load that no index has',
  listCustomFields: 'the order that users arranged with `position`',
  listActiveSessions: 'users by their last request, which changes all the time',
  listContactImports: 'the newest first',
  listLeadImports: 'the newest first',
  listDeletedRecords: 'the newest deletion first',
  listContactImportRows: 'the order of the file',
  listLeadImportRows: 'the order of the file',
  listSegmentMembers: 'by id, the only order in which every rule can be read in pages',
}

type Query = Parameter & { schema: { enum?: string[] } }
const lists = operations
  .filter(({ method }) => method === 'get')
  .map(({ operationId, path, parameters = [] }) => {
    const query = parameters.filter((parameter): parameter is Query => 'in' in parameter && parameter.in === 'query')
    return { operationId, path, query }
  })
  .filter(({ query }) => query.some(({ name }) => name === 'offset'))

const sortsOf = ({ query }: (typeof lists)[number]) => query.find(({ name }) => /^sort(_by)?$/.test(name))?.schema.enum

test('every list has `sort`, or a reason why not', () => {
  const missing = lists.filter((list) => !sortsOf(list)).map(({ operationId }) => operationId)

  assert.deepEqual(missing.sort(), Object.keys(withoutSort).sort())
})

/** Lists with the ids of the records that contain them. */
const parents: Record<string, string> = {
  lead_id: '/api/leads/',
  contact_id: '/api/contacts/',
  account_id: '/api/accounts/',
  opportunity_id: '/api/opportunities/',
  campaign_id: '/api/campaigns/',
  cadence_id: '/api/cadences/',
  segment_id: '/api/segments',
  survey_id: '/api/surveys/',
  team_id: '/api/teams/',
  user_id: '/api/users/',
  thread_id: '/api/community/threads',
  path_id: '/api/enablement/learning/paths/',
}

test('each order of a list is the reverse of the other, and a cursor belongs to one of them', async () => {
  const { tenant, services, clock } = await startTestApp()
  const acme = await tenant()
  const { id: tenantId, admin } = acme
  await loadSampleData(services, { tenantId, userId: admin.userId, now: clock.now(), scale: 0.07 })
  for (const name of ['One', 'Two']) {
    await admin.post('/api/api-keys', { name, scopes: ['leads.read'] })
    await admin.post('/api/connected-apps', { name })
    await admin.post('/api/webhooks', { url: `https://hooks.example.com/${name}`, events: ['lead.created'] })
    await admin.post('/api/enablement/collections/', { name })
    await admin.post('/api/enablement/coaching/personas', { name })
  }
  const read = async (url: string) => {
    const { status, body } = await admin.get(url)
    return { status, items: (body.items ?? []) as unknown[], next: body.next_cursor as string }
  }

  async function* urlsOf(path: string): AsyncGenerator<string, void> {
    const name = /\{(\w+)\}/.exec(path)?.[1]
    if (!name) return yield path
    const { body } = await admin.get(`${parents[name] ?? '/api/leads/'}?limit=20`)
    const records = Array.isArray(body) ? body : (Object.values(body).find(Array.isArray) ?? [])
    for (const { id } of records as { id: string }[]) yield path.replace(`{${name}}`, id)
  }

  const compared: string[] = []
  const wrong: string[] = []
  for (const list of lists) {
    const [natural, reversed, ...others] = sortsOf(list) ?? []
    const isPair = natural && reversed && natural.replace('-', '') === reversed.replace('-', '')
    if (!isPair || others.length || !list.query.some(({ name }) => name === 'sort')) continue
    for await (const url of urlsOf(list.path)) {
      const [usual, same, back] = await Promise.all([
        read(`${url}?limit=200`),
        read(`${url}?limit=200&sort=${natural}`),
        read(`${url}?limit=200&sort=${reversed}`),
      ])
      if (usual.items.length < 2 || usual.next) continue
      const isReversed = JSON.stringify(back.items) === JSON.stringify(usual.items.toReversed())
      const isSame = JSON.stringify(same.items) === JSON.stringify(usual.items)
      const first = await read(`${url}?limit=1&sort=${reversed}`)
      const second = await read(`${url}?limit=1&sort=${reversed}&cursor=${first.next}`)
      const follows = JSON.stringify([...first.items, ...second.items]) === JSON.stringify(back.items.slice(0, 2))
      const other = await read(`${url}?limit=1&sort=${natural}&cursor=${first.next}`)
      if (!isReversed || !isSame || !follows || other.status !== 422)
        wrong.push(`${list.operationId} ${JSON.stringify({ isReversed, isSame, follows, status: other.status })}`)
      compared.push(list.operationId)
      break
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(compared.length >= 25, `only ${compared.length} lists have two items: ${compared.join(', ')}`)
})
