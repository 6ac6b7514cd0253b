import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { LeadSummary, leadSorts } from '../lead-records/leads.schemas.ts'
import { type Acme, createLeadWith, leadsUrl, listIds, listIdsByPage } from './leads.fixture.ts'

const { tenant } = await startTestApp()

async function fourLeads(acme: Acme) {
  const x = await createLeadWith(acme, { last_name: 'X' }, { grade: 'B', score: 55 })
  const y = await createLeadWith(acme, { last_name: 'Y', status: 'working' }, { grade: 'A', score: 80 })
  const z = await createLeadWith(acme, { last_name: 'Z' }, { grade: 'A', score: 71 })
  const w = await createLeadWith(acme, { last_name: 'W', status: 'contacted' }, { grade: 'C', score: 30 })
  return { x: x.id, y: y.id, z: z.id, w: w.id }
}

test('crm-1-2 the list is sorted by priority or by score across pages', async () => {
  const acme = await tenant()
  const { x, y, z, w } = await fourLeads(acme)

  assert.deepEqual(await listIds(acme, ''), [z, y, x, w])
  assert.deepEqual(await listIdsByPage(acme, '', 1), [z, y, x, w])
  assert.deepEqual(await listIds(acme, 'sort=-score'), [y, z, x, w])
  assert.deepEqual(await listIdsByPage(acme, 'sort=-score', 1), [y, z, x, w])
})

test('crm-1-3 leads are filtered, and invalid filters are rejected', async () => {
  const acme = await tenant()
  const { x, z } = await fourLeads(acme)
  await createLeadWith(acme, { owner_id: acme.manager.userId }, { grade: 'A', score: 90 })
  const errorOf = async (query: string) => {
    const { status, body } = await acme.member.get(`${leadsUrl}?${query}`)
    return [status, body.errors?.[0]?.path]
  }

  assert.deepEqual(await listIds(acme, 'grade=A,B&score_min=40&unassigned=true&status=new'), [z, x])
  assert.equal((await listIds(acme, 'grade=A,B&score_min=40&unassigned=true')).length, 3)
  assert.deepEqual(await errorOf(`owner_id=${newId()}&unassigned=true`), [422, '/unassigned'])
  assert.deepEqual(await errorOf('sort=foo'), [422, '/sort'])
  assert.deepEqual(await errorOf('limit=201'), [422, '/limit'])
  assert.deepEqual(await errorOf('status=foo'), [422, '/status/0'])
  assert.deepEqual(await errorOf('score_min=60&score_max=50'), [422, '/score_max'])
  assert.deepEqual(await errorOf('owner_id=you'), [422, '/owner_id'])
  assert.deepEqual(await errorOf('color=red'), [422, '/color'])
  assert.deepEqual(await errorOf('created_from=2026-02-31'), [422, '/created_from'])
  assert.deepEqual(await errorOf(`filter=${encodeURIComponent('{"field":"shoe","op":"eq","value":1}')}`), [
    422,
    '/filter/field',
  ])
  assert.deepEqual(await errorOf('filter=%7Bnonsense'), [422, '/filter'])
})

test('every filter returns the matching leads in every sort order', async () => {
  const acme = await tenant()
  const a = (
    await createLeadWith(acme, { source: 'fair', tags: ['vip', 'emea'], title: 'Chief Engineer' }, { score: 10 })
  ).id
  const b = (
    await createLeadWith(
      acme,
      { status: 'working', lifecycle_stage: 'mql', owner_id: acme.member.userId, tags: ['vip'] },
      { score: 50, grade: 'B' },
    )
  ).id
  const c = (
    await createLeadWith(
      acme,
      { last_name: 'Śmigły', phone: '+48 22 580 2300', status: 'nurturing' },
      { score: 99, grade: 'A', created_on: '2020-05-05' },
    )
  ).id
  const found = async (query: string) => {
    const [ids, byName, byAge] = await Promise.all(
      ['', '&sort=name', '&sort=-created_at'].map(async (sort) => (await listIds(acme, query + sort)).sort()),
    )
    assert.deepEqual([byName, byAge], [ids, ids], `${query} finds others in another order`)
    return ids
  }
  const rule = (written: object) => `filter=${encodeURIComponent(JSON.stringify(written))}`

  assert.deepEqual(await found('status=new,working'), [a, b].sort())
  assert.deepEqual(await found('lifecycle_stage=mql'), [b])
  assert.deepEqual(await found('grade=A,B'), [b, c].sort())
  assert.deepEqual(await found('source=fair,nowhere'), [a])
  assert.deepEqual(await found('owner_id=me'), [b])
  assert.deepEqual(await found(`owner_id=${newId()}`), [])
  assert.deepEqual(await found('unassigned=true'), [a, c].sort())
  assert.deepEqual(await found('score_min=50'), [b, c].sort())
  assert.deepEqual(await found('score_max=50'), [a, b].sort())
  assert.deepEqual(await found('score_min=50&score_max=50&grade=B'), [b])
  assert.deepEqual(await found('tag=vip'), [a, b].sort())
  assert.deepEqual(await found('tag=vip&search=engineer'), [a])
  assert.deepEqual(await found('tag=VIP'), [])
  assert.deepEqual(await found('search=smigly'), [c])
  assert.deepEqual(await found('search=225802300'), [c])
  assert.deepEqual(await found('search=chief%20mo'), [a])
  assert.deepEqual(await found('search=en'), [a])
  assert.deepEqual(await found('search=ef'), [])
  assert.deepEqual(await found('search=%25'), [])
  assert.deepEqual(await found('created_to=2020-05-05'), [c])
  assert.deepEqual(await found('created_from=2020-05-06'), [a, b].sort())
  assert.deepEqual(await found(rule({ field: 'title', op: 'has_any_word', value: ['engineer'] })), [a])
  assert.deepEqual(await found(rule({ not: { field: 'tags', op: 'contains_any', value: ['vip'] } })), [c])
  assert.deepEqual(await found(rule({ field: 'owner_id', op: 'is_me' })), [b])
  const tagged = rule({ field: 'tags', op: 'contains_any', value: ['vip'] })
  assert.deepEqual((await listIdsByPage(acme, tagged, 1)).sort(), [a, b].sort())
  const counted = await acme.member.get(`${leadsUrl}?status=new,working&limit=1`)
  assert.deepEqual([counted.body.total, counted.body.total_relation, counted.headers['x-total-count']], [2, 'eq', '2'])
})

test('totals are exact up to 1,000, above that only with count=exact', async () => {
  const acme = await tenant()
  const addLeads = (count: number) =>
    acme.sql(
      `insert into crm.leads (tenant_id, id, last_name, source, search_text, created_on)
       select $1, gen_random_uuid(), 'Moss', 'web', ' moss', date '2026-01-01' from generate_series(1, $2::integer)`,
      [acme.id, count],
    )
  const totalOf = async (query: string) => {
    const { body, headers } = await acme.member.get(`${leadsUrl}?limit=1${query}`)
    return [body.total, body.total_relation, headers['x-total-count'], headers['x-total-relation']]
  }

  await addLeads(1_000)
  assert.deepEqual(await totalOf(''), [1_000, 'eq', '1000', undefined])
  await addLeads(1)

  for (const filter of ['', '&source=web', '&search=moss'])
    assert.deepEqual(await totalOf(filter), [1_000, 'gte', '1000', 'gte'], filter)
  assert.deepEqual(await totalOf('&count=exact'), [1_001, 'eq', '1001', undefined])
})

test('every sort order is stable across pages, with nulls last', async () => {
  const acme = await tenant()
  for (let n = 0; n < 7; n++) {
    const input = {
      ...(n % 2 ? { company: `Comp ${n % 3}` } : {}),
      ...(n % 3 ? {} : { last_name: null, email: `a${n}@x.example` }),
    }
    await createLeadWith(acme, input, {
      score: n % 3,
      last_activity_at: n % 2 ? new Date(2026, 1, n) : null,
      sla_due_at: n % 3 ? new Date(2026, 2, n) : null,
    })
  }
  // Instants are finer than a Date can tell.
  await acme.sql(
    `update crm.leads set created_at = '2026-01-01T00:00:00.123456Z', updated_at = '2026-01-01T00:00:00.123456Z' where tenant_id = $1 and score = 1`,
    [acme.id],
  )
  await acme.sql(`update crm.leads set created_at = '2026-01-01T00:00:00.123999Z' where tenant_id = $1 and score = 2`, [
    acme.id,
  ])
  const value = {
    name: 'name',
    company: 'company',
    last_activity_at: 'last_activity_at',
    sla_due_at: 'sla_due_at',
  } as Record<string, string>

  for (const sort of leadSorts) {
    const { body } = await acme.member.get(`${leadsUrl}?sort=${sort}`)
    const ids = body.items.map(({ id }: { id: string }) => id)
    assert.equal(ids.length, 7, sort)
    for (const limit of [1, 2, 3])
      assert.deepEqual(await listIdsByPage(acme, `sort=${sort}`, limit), ids, `${sort} by ${limit}`)
    const skipped = (await acme.member.get(`${leadsUrl}?sort=${sort}&offset=3&limit=2`)).body.items
    assert.deepEqual(
      skipped.map(({ id }: { id: string }) => id),
      ids.slice(3, 5),
      sort,
    )
    const field = value[sort.replace('-', '')]
    if (!field) continue
    const gaps = body.items.map((item: Record<string, unknown>) => item[field] === null)
    assert.deepEqual(gaps, [...gaps].sort(), `${sort} has its gaps at the end`)
    assert.ok(gaps.includes(true) && gaps.includes(false), sort)
  }
  const up = await listIds(acme, 'sort=score')
  assert.deepEqual(up, (await listIds(acme, 'sort=-score')).reverse())
})

test('a cursor is rejected by a list with other filters', async () => {
  const acme = await tenant()
  await fourLeads(acme)
  const { body } = await acme.member.get(`${leadsUrl}?limit=1&status=new`)
  const cursor = body.next_cursor
  const errorOf = async (query: string) => {
    const response = await acme.member.get(`${leadsUrl}?${query}`)
    return [response.status, response.body.errors?.[0]?.path]
  }

  assert.equal((await acme.member.get(`${leadsUrl}?limit=1&status=new&cursor=${cursor}`)).status, 200)
  assert.equal((await acme.member.get(`${leadsUrl}?limit=2&status=new&cursor=${cursor}`)).body.total, null)
  assert.deepEqual(await errorOf(`status=working&cursor=${cursor}`), [422, '/cursor'])
  assert.deepEqual(await errorOf(`status=new&sort=score&cursor=${cursor}`), [422, '/cursor'])
  assert.deepEqual(await errorOf('cursor=abc'), [422, '/cursor'])
  const [list, key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  for (const forged of [
    [list, [1, 'now'], id],
    [list, null, id],
    [list, key, 'x'],
  ]) {
    const written = Buffer.from(JSON.stringify(forged)).toString('base64url')
    assert.deepEqual(await errorOf(`status=new&cursor=${written}`), [422, '/cursor'], JSON.stringify(forged))
  }
})

test('managers can list deleted leads', async () => {
  const acme = await tenant()
  const { x, y, z, w } = await fourLeads(acme)
  await acme.manager.delete(`${leadsUrl}${y}`)

  const rejected = await acme.member.get(`${leadsUrl}?include_deleted=true`)
  const all = await acme.manager.get(`${leadsUrl}?include_deleted=true`)
  const searched = await acme.manager.get(`${leadsUrl}?include_deleted=true&search=y`)

  assert.deepEqual([rejected.status, rejected.body.code], [403, 'role_required'])
  assert.deepEqual(
    all.body.items.map(({ id }: { id: string }) => id),
    [z, y, x, w],
  )
  assert.deepEqual(all.body.total, 4)
  assert.ok(all.body.items[1].deleted_at)
  assert.deepEqual(
    searched.body.items.map(({ id }: { id: string }) => id),
    [y],
  )
  assert.deepEqual(await listIds(acme, ''), [z, x, w])
})

test('the list of a workspace without leads is empty', async () => {
  const { viewer } = await tenant()

  const { status, body } = await viewer.get(`${leadsUrl}?search=unknown&sort=-company`)

  assert.equal(status, 200)
  assert.deepEqual(body, { items: [], total: 0, total_relation: 'eq', limit: 50, offset: 0, next_cursor: null })
})

test('a list of summaries has the same leads with fewer fields, and accepts the cursor of the full list', async () => {
  const acme = await tenant()
  await fourLeads(acme)
  await createLeadWith(acme, { owner_id: acme.member.userId, notes: 'Long text' }, { score: 20 })
  const list = async (query: string) => (await acme.member.get(`${leadsUrl}?sort=-score&${query}`)).body

  const [full, summaries] = [await list('limit=3'), await list('limit=3&fields=summary')]
  const next = await list(`limit=3&fields=summary&cursor=${full.next_cursor}`)
  const { body: lead } = await acme.member.get(`${leadsUrl}${next.items[1].id}`)

  assert.deepEqual([summaries.total, summaries.next_cursor], [full.total, full.next_cursor])
  const fields = Object.keys(LeadSummary.properties)
  assert.equal(fields.length, 20)
  for (const [at, summary] of summaries.items.entries()) {
    const shown = Object.entries(full.items[at]).filter(([name]) => fields.includes(name))
    assert.deepEqual(summary, Object.fromEntries(shown))
    assert.deepEqual(Object.keys(summary).sort(), fields.toSorted())
  }
  assert.deepEqual(next.items[1].owner, lead.owner)
  const detailFields = ['score_reasons', 'duplicate_count']
  assert.deepEqual([...Object.keys(full.items[0]), ...detailFields].sort(), Object.keys(lead).sort())
  assert.equal((await acme.member.get(`${leadsUrl}?fields=few`)).status, 422)
})
