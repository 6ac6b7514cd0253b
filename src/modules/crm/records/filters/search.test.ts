import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { inTenant, toSearchText, toSearchWords } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { isNightly } from '../../../../../tests/nightly/is-nightly.ts'
import { listOpportunityRows } from '../../deals/opportunities/list-opportunities.queries.ts'
import { ensureDefaultPipeline } from '../../deals/pipelines/pipelines.service.ts'
import { listAccountRows } from '../../people/accounts/list-accounts.queries.ts'
import { listContactRows } from '../../people/contacts/list-contacts.queries.ts'
import { listLeadRows } from '../../people/leads/list-leads.queries.ts'

const { tenant, db, owner } = await startTestApp()
const acme = await tenant()
const beta = await tenant()

type Text = { id: string; text: string }
const searches = isNightly ? 300 : 120
const page = { limit: 200, offset: 0 }

const lists = {
  lead: (search: string) => inAcme((tx) => listLeadRows(tx, { search }, { ...page, sort: 'priority' })),
  contact: (search: string) =>
    inAcme((tx) => listContactRows(tx, { search }, { ...page, sort_by: 'created_at', sort_dir: 'asc' })),
  account: (search: string) => inAcme((tx) => listAccountRows(tx, { search }, { ...page, sort: 'created_at' })),
  opportunity: (search: string) => inAcme((tx) => listOpportunityRows(tx, { search }, { ...page, sort: 'created_at' })),
}
type RecordType = keyof typeof lists

const inAcme = <T>(work: Parameters<typeof inTenant<T>>[2]) => inTenant(db, systemActor(acme.id), work)

/** Few letters, so that random words occur in random texts; among them wildcards and letters outside the BMP. */
const letters = ['a', 'b', 'É', 'ß', '%', '_', '\\', '.', '@', '1', '김', 'ी', '😀', '𝔘', "'"]
const word = (maxLength: number) => fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength })
const words = (maxWords: number) =>
  fc.array(fc.oneof(word(2), word(4), word(9)), { minLength: 1, maxLength: maxWords }).map((all) => all.join(' '))

/** Parts of the words of one of the texts, and sometimes a word of another one. */
const partsOf = (texts: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...texts), fc.infiniteStream(fc.nat({ max: 6 })), fc.option(word(3), { freq: 3 }))
    .map(([text, numbers, other]) => {
      const next = () => numbers.next().value as number
      const parts = text.split(' ').map((one) => [...one].slice(next() % 3, 3 + next()).join(''))
      return [...parts, other ?? ''].join(' ')
    })

/** Requires every word anywhere, or at the start of a word if the longest word has fewer than three letters. */
function isMatch(search: string, text: string): boolean {
  const searched = toSearchWords(search).slice(0, 5)
  const start = [...(searched[0] ?? '')].length < 3 ? ' ' : ''
  return searched.every((one) => text.includes(start + one))
}

const inserts: Record<RecordType, string> = {
  lead: `insert into crm.leads (tenant_id, id, last_name, source, search_text, score, created_at, created_on)
    select $1, id, 'Moss', 'web', text, length(text) % 4, timestamptz '2026-01-01' + length(text) % 3 * interval '1 day', date '2026-01-01' from texts`,
  contact: `insert into crm.contacts (tenant_id, id, last_name, source, search_text) select $1, id, 'Moss', 'manual', text from texts`,
  account: `insert into crm.accounts (tenant_id, id, name, name_key, search_text) select $1, id, 'A', 'a', text from texts`,
  opportunity: `with account as (insert into crm.accounts (tenant_id, id, name, name_key, search_text) values ($1, gen_random_uuid(), 'A', 'a', ' ')
      returning id),
    stage as (select pipeline_id, key from crm.pipeline_stages where tenant_id = $1 and kind = 'open' limit 1)
    insert into crm.opportunities (tenant_id, id, name, name_key, search_text, account_id, pipeline_id, stage_key, kind,
      probability_basis, forecast_category, close_on, source)
    select $1, texts.id, 'D', 'd', text, account.id, pipeline_id, key, 'open', 0, 'pipeline', date '2026-01-01', 'web' from texts, account, stage`,
}

async function insertRecords(tenantId: string, type: RecordType, texts: Text[]): Promise<void> {
  const statement = inserts[type]
  const source = 'texts as (select * from json_to_recordset($2) as text (id uuid, text text))'
  const text = statement.startsWith('with')
    ? statement.replace('with', `with ${source},`)
    : `with ${source} ${statement}`
  await owner.query(text, [tenantId, JSON.stringify(texts)])
}

const toTexts = (all: string[]): Text[] => all.map((text) => ({ id: newId(), text: ` ${toSearchText(text)}` }))
for (const { id } of [acme, beta]) await inTenant(db, systemActor(id), ensureDefaultPipeline)

const sortedIds = (items: readonly { id: string }[]) => items.map(({ id }) => id).sort()

for (const type of Object.keys(lists) as RecordType[])
  test(`a search finds the same records of type ${type} as a comparison of all texts`, async () => {
    const samples = fc.sample(words(6), { numRuns: 150, seed: 7 })
    const texts = toTexts(samples)
    await insertRecords(acme.id, type, texts)
    await insertRecords(beta.id, type, toTexts(samples))
    let searchesWithMatches = 0

    await fc.assert(
      fc.asyncProperty(fc.oneof(words(1), words(3), words(7), partsOf(samples)), async (search) => {
        const { items } = await lists[type](search)
        if (!toSearchWords(search).length) return
        const expected = texts.filter(({ text }) => isMatch(search, text))
        if (expected.length) searchesWithMatches++
        assert.deepEqual(sortedIds(items), sortedIds(expected), search)
      }),
      { numRuns: searches, seed: 11 },
    )

    assert.ok(searchesWithMatches > searches / 3, `${searchesWithMatches} searches with matches`)
  })

test('the matching leads are in the default order on every page', async () => {
  const gamma = await tenant()
  const texts = toTexts(fc.sample(words(4), { numRuns: 300, seed: 5 }).map((text) => `${text} lindstrom`))
  await insertRecords(gamma.id, 'lead', texts)
  const { rows } = await owner.query(
    'select id from crm.leads where tenant_id = $1 order by priority_rank, created_at, id',
    [gamma.id],
  )
  const listPage = async (query: string) => (await gamma.member.get(`/api/leads/?search=LINDSTR&${query}`)).body

  const byCursor: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { items, next_cursor } = await listPage(`limit=77${cursor && `&cursor=${cursor}`}`)
    byCursor.push(...items.map(({ id }: Text) => id))
    cursor = next_cursor
  }
  const third = await listPage('limit=100&offset=250')
  const pastTheEnd = await listPage('offset=300')

  const ids = rows.map(({ id }) => id)
  assert.deepEqual(byCursor, ids)
  assert.deepEqual(
    third.items.map(({ id }: Text) => id),
    ids.slice(250),
  )
  assert.deepEqual([third.total, third.total_relation, third.next_cursor], [300, 'eq', null])
  assert.deepEqual([pastTheEnd.total, pastTheEnd.items], [300, []])
  assert.equal(
    (await listPage('score_min=0&score_max=0')).total,
    texts.filter(({ text }) => [...text].length % 4 === 0).length,
  )
})

test('a search follows changed, deleted, restored, merged and purged leads', async () => {
  const gamma = await tenant()
  const add = async (last_name: string) => (await gamma.member.post('/api/leads/', { last_name })).body.id as string
  const found = async (search: string) =>
    (await gamma.member.get(`/api/leads/?search=${search}`)).body.items.map(({ id }: Text) => id)
  const [one, two, three] = [await add('Lovelace'), await add('Lovelady'), await add('Loveland')]

  await gamma.member.patch(`/api/leads/${one}`, { last_name: 'Byron', status: 'nurturing' })
  assert.deepEqual([await found('lovelace'), await found('byron')], [[], [one]])
  assert.deepEqual((await found('lovela')).sort(), [two, three].sort())

  await gamma.member.delete(`/api/leads/${one}`)
  assert.deepEqual(await found('byron'), [])
  await gamma.member.post(`/api/leads/${one}/restore`, {})
  assert.deepEqual(await found('byron'), [one])

  const merged = await gamma.manager.post(`/api/leads/${two}/merge`, { duplicate_ids: [three] })
  assert.deepEqual(await found('love'), [two])
  await gamma.manager.post(`/api/leads/merges/${merged.body.merge_id}/undo`, {})
  assert.deepEqual((await found('love')).sort(), [two, three].sort())
  assert.deepEqual(await differences(), [])

  await gamma.sql('delete from crm.leads where id = $1', [two])
  assert.deepEqual(await found('love'), [three])
  assert.deepEqual(await differences(), [])

  async function differences() {
    const records = `select id, search_text, priority_rank, created_at from crm.leads where tenant_id = $1 and deleted_at is null`
    const texts = `select record_id, search_text, priority_rank, created_at from crm.search_texts where tenant_id = $1`
    const { rows } = await gamma.sql(`(${records} except ${texts}) union all (${texts} except ${records})`, [gamma.id])
    return rows
  }
})

test('the search functions of the previous version find the same records', async () => {
  const names = { lead: 'leads', contact: 'contacts', account: 'accounts', opportunity: 'opportunities' }
  for (const [type, name] of Object.entries(names)) {
    const search = (call: string) =>
      inAcme((tx) => sql<{ id: string }>`select id from ${sql.raw(call)} as id`.execute(tx))
    const previous = await search(`crm.search_${name}('{ab,a}', 10001)`)
    const current = await search(`crm.search_records('${type}', '{ab,a}', 10001)`)

    assert.ok(current.rows.length > 0)
    assert.deepEqual(sortedIds(previous.rows), sortedIds(current.rows))
  }
})
