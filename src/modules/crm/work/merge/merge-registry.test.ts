import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MergeReference, Module } from '#platform/module'
import { countStatements, startTestApp } from '#testing'

const responses: Module = {
  name: 'replies',
  purpose: 'Replies of leads and contacts.',
  uses: ['crm'],
  schema: 'replies',
  tables: {},
  events: [],
  routes: () => async () => {},
  mergeReferences: [
    { column: 'replies.replies.lead_id', to: 'lead', followsMerge: true },
    { column: 'replies.replies.contact_id', to: 'contact', followsMerge: true },
    { column: 'replies.log.lead_id', to: 'lead', followsMerge: false },
    { column: 'replies.votes.lead_id', to: 'lead', followsMerge: true, rowKey: 'topic', isUnique: true },
  ],
}
const { tenant, owner, services } = await startTestApp({}, { modules: [responses] })
await owner.query(`
  create schema replies;
  create table replies.replies (tenant_id uuid not null default platform.current_tenant_id(), id uuid primary key, lead_id uuid, contact_id uuid);
  create table replies.log (tenant_id uuid not null default platform.current_tenant_id(), id uuid primary key, lead_id uuid);
  create table replies.votes (tenant_id uuid not null default platform.current_tenant_id(), topic text, lead_id uuid, primary key (lead_id, topic));
  grant usage on schema replies to app;
  grant select, insert, update on all tables in schema replies to app`)
type Acme = Awaited<ReturnType<typeof tenant>>

const findUnlisted = async () => {
  const { rows } = await owner.query<{ column: string; to: MergeReference['to'] }>(`
    select conrelid::regclass || '.' || attname as column, record.kind as to from pg_constraint
      join pg_attribute on attrelid = conrelid and attnum = any (conkey)
      join (values ('crm.leads'::regclass, 'lead'), ('crm.contacts', 'contact'), ('crm.accounts', 'account')) as record (id, kind)
        on confrelid = record.id
      where attname <> 'tenant_id'
    union
    select table_schema || '.' || table_name || '.' || column_name, replace(column_name, '_id', '')
      from information_schema.columns where column_name in ('lead_id', 'contact_id', 'account_id')
    order by 1`)
  const listed = new Set(services.registry.mergeReferences.map(({ column, to }) => `${column} ${to}`))
  return rows.filter(({ column, to }) => !listed.has(`${column} ${to}`) && !column.startsWith('replies.'))
}

test('every column that refers to a lead, contact or account is listed by its module', async () => {
  const unlisted = await findUnlisted()

  const lines = unlisted.map(({ column, to }) => {
    const [module, ...rest] = column.split('.')
    return `add reference('${to}', '${rest.join('.')}') to mergeReferences of the module ${module} (crm: src/modules/crm/crm.references.ts), with history if its rows must stay with the merged ${to}`
  })
  assert.deepEqual(unlisted, [], lines.join('\n'))
})

test('every listed column exists', async () => {
  const { rows } = await owner.query<{ column: string }>(
    `select table_schema || '.' || table_name || '.' || column_name as column from information_schema.columns`,
  )
  const existing = new Set(rows.map(({ column }) => column))

  const missing = services.registry.mergeReferences.filter(({ column }) => !existing.has(column))

  assert.deepEqual(missing, [])
})

const url = '/api/leads/'
const create = async (acme: Acme, path = url) =>
  (await acme.manager.post(path, { last_name: 'Moss' })).body.id as string
const addRow = (acme: Acme, table: string, values: Record<string, string>) => {
  const names = ['tenant_id', ...Object.keys(values)]
  const places = names.map((_, index) => `$${index + 1}`)
  return acme.sql(`insert into replies.${table} (${names.join()}) values (${places.join()})`, [
    acme.id,
    ...Object.values(values),
  ])
}
const listLeadIds = async (acme: Acme, table: string, key: string): Promise<string[]> => {
  const { rows } = await acme.sql(
    `select lead_id from replies.${table} where tenant_id = $1 order by ${key}, lead_id`,
    [acme.id],
  )
  return rows.map(({ lead_id }) => lead_id)
}

test('rows of another module follow a merge of leads and its undo', async () => {
  const acme = await tenant()
  const [primary, one, two] = [await create(acme), await create(acme), await create(acme)].sort() as [
    string,
    string,
    string,
  ]
  const ids = ['a', 'b', 'c'].map((letter) => `00000000-0000-7000-8000-00000000000${letter}`) as [
    string,
    string,
    string,
  ]
  await addRow(acme, 'replies', { id: ids[0], lead_id: one })
  await addRow(acme, 'replies', { id: ids[1], lead_id: two })
  await addRow(acme, 'log', { id: ids[0], lead_id: one })
  await addRow(acme, 'votes', { topic: 'price', lead_id: primary })
  await addRow(acme, 'votes', { topic: 'price', lead_id: one })
  await addRow(acme, 'votes', { topic: 'quality', lead_id: one })
  await addRow(acme, 'votes', { topic: 'quality', lead_id: two })

  const { status, body } = await acme.manager.post(`${url}${primary}/merge`, { duplicate_ids: [two, one] })

  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(await listLeadIds(acme, 'replies', 'id'), [primary, primary])
  assert.deepEqual(await listLeadIds(acme, 'log', 'id'), [one])
  assert.deepEqual(
    await listLeadIds(acme, 'votes', 'topic'),
    [primary, one, primary, one],
    'the first merged lead moves',
  )

  await addRow(acme, 'replies', { id: ids[2], lead_id: primary })
  const undone = await acme.manager.post(`${url}merges/${body.merge_id}/undo`)

  assert.equal(undone.status, 200, undone.text)
  assert.deepEqual(await listLeadIds(acme, 'replies', 'id'), [one, two, primary], 'later rows stay')
  assert.deepEqual(await listLeadIds(acme, 'votes', 'topic'), [primary, one, one, two])
})

test('rows of another module follow a merge of contacts', async () => {
  const acme = await tenant()
  const [primary, other] = [await create(acme, '/api/contacts/'), await create(acme, '/api/contacts/')]
  const id = '00000000-0000-7000-8000-0000000000ff'
  await addRow(acme, 'replies', { id, contact_id: other })

  const { status } = await acme.manager.post(`/api/contacts/${primary}/merge`, { duplicate_ids: [other] })

  const { rows } = await acme.sql('select contact_id from replies.replies where id = $1', [id])
  assert.deepEqual([status, rows], [200, [{ contact_id: primary }]])
})

test('the number of statements for references does not depend on the number of merged leads', async () => {
  const acme = await tenant()
  const updatesOf = async (duplicates: number) => {
    const ids: string[] = []
    for (let n = 0; n <= duplicates; n++) ids.push(await create(acme))
    const [primary, ...duplicate_ids] = ids
    const { statements } = await countStatements(services.db.pool, () =>
      acme.manager.post(`${url}${primary}/merge`, { duplicate_ids }),
    )
    return statements
  }

  const [two, four] = [await updatesOf(2), await updatesOf(4)]

  assert.equal(four - two, 4, 'two statements per lead: its row and its tags')
})
