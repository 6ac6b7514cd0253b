import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp, waitForTask } from '#testing'

const { app, tenant, startTestWorker } = await startTestApp()

type Acme = Awaited<ReturnType<typeof tenant>>
let acme: Acme
let globex: Acme
before(async () => {
  acme = await tenant()
  globex = await tenant()
  await startTestWorker()
})

async function created(url: string, body: object) {
  const response = await acme.manager.post(url, body)
  assert.equal(response.status, 201, response.text)
  return response.body
}

async function exported(url: string, body: object, of = acme) {
  const started = await of.manager.post(url, body)
  assert.equal(started.status, 202, started.text)
  const task = await waitForTask(of, started.body)
  assert.equal(task.state, 'succeeded', JSON.stringify(task))
  const file = await of.manager.get(task.result.download_url)
  assert.equal(file.status, 200, file.text)
  return { id: started.body.export_id as string, task, file, lines: file.text.replace('\uFEFF', '').split(/\r?\n/) }
}

test('the leads that match a rule are exported with the chosen columns and without formulas', async () => {
  const definition = { object_type: 'lead', key: 'colors', label: 'Colors', type: 'multi_select' }
  await created('/api/custom-fields/', { ...definition, options: ['red', 'blue'].map((key) => ({ key, label: key })) })
  const lead = await created('/api/leads/', {
    last_name: '=HYPERLINK("https://evil.example")',
    phone: '+49 30 1234567',
    company: 'Müller, "Max"',
    country: 'DE',
    tags: ['vip', 'trade fair'],
    annual_revenue: { amount: '1250.00', currency: 'EUR' },
    utm: { source: 'ads' },
    owner_id: acme.member.userId,
    custom: { colors: ['red', 'blue'] },
  })
  await created('/api/leads/', { last_name: 'Elsewhere', country: 'FR' })
  const columns = ['id', 'last_name', 'phone', 'company', 'tags', 'annual_revenue', 'utm.source', 'owner_name']
  const body = {
    filter: { field: 'country', op: 'eq', value: 'DE' },
    columns: [...columns, 'custom.colors', 'created_at'],
  }

  const { id, file, lines } = await exported('/api/leads/exports', body)

  assert.match(file.headers['content-type'], /^text\/csv/)
  assert.match(file.headers['content-disposition'], /^attachment; filename="leads\.csv"/)
  assert.equal(file.text[0], '\uFEFF')
  assert.deepEqual(lines, [
    body.columns.join(','),
    [
      lead.id,
      `"'=HYPERLINK(""https://evil.example"")"`,
      "'+49 30 1234567",
      '"Müller, ""Max"""',
      '"vip; trade fair"',
      '1250.00 EUR',
      'ads',
      acme.member.name,
      '"red; blue"',
      lead.created_at,
    ].join(','),
    '',
  ])
  const shown = (await acme.manager.get(`/api/leads/exports/${id}`)).body
  const expected = { state: 'completed', object_type: 'lead', format: 'csv', columns: body.columns, row_count: 1 }
  assert.partialDeepStrictEqual(shown, { ...expected, created_by: acme.manager.userId })
})

test('the records of a list are exported by its filters, also together with a rule', async () => {
  const own = await tenant()
  const add = async (type: string, body: object) => (await own.manager.post(`/api/${type}/`, body)).body.id as string
  const account = await add('accounts', { name: 'Initech', type: 'customer', tags: ['vip'] })
  await add('accounts', { name: 'Initrode', type: 'customer' })
  const owner_id = own.manager.userId
  const lead = await add('leads', { last_name: 'Moss', tags: ['vip'], owner_id, country: 'DE' })
  await add('leads', { last_name: 'Moss', tags: ['vip'], owner_id: own.member.userId, country: 'DE' })
  await add('leads', { last_name: 'Moss', tags: ['vip'], owner_id, country: 'FR' })
  const contact = await add('contacts', { last_name: 'Moss', account_id: account, lifecycle_stage: 'sql' })
  await add('contacts', { last_name: 'Roy', account_id: account, lifecycle_stage: 'sql' })
  await add('contacts', { last_name: 'Moss', lifecycle_stage: 'sql' })
  const filter = { field: 'country', op: 'eq', value: 'DE' }
  const idsOf = async (type: string, body: object) =>
    (await exported(`/api/${type}/exports`, { ...body, columns: ['id'] }, own)).lines.slice(1, -1)

  assert.deepEqual(await idsOf('leads', { filter, query: { tag: 'vip', owner_id: 'me', status: ['new'] } }), [lead])
  assert.deepEqual(
    await idsOf('contacts', { query: { account_id: account, search: 'moss', lifecycle_stage: ['sql'] } }),
    [contact],
  )
  assert.deepEqual(await idsOf('accounts', { query: { type: ['customer'], tag: 'vip' } }), [account])
  assert.deepEqual(await idsOf('accounts', { query: { search: 'unknown' } }), [])
  assert.equal((await idsOf('leads', { query: {} })).length, 3)
  const errorOf = async (type: string, query: object) => {
    const { status, body } = await own.manager.post(`/api/${type}/exports`, { query })
    return [status, body.errors[0].path]
  }
  assert.deepEqual(await errorOf('leads', { owner_id: 'me', unassigned: true }), [422, '/query/unassigned'])
  assert.deepEqual(await errorOf('contacts', { status: ['new'] }), [422, '/query/status'])
  assert.deepEqual(await errorOf('accounts', { type: ['friend'] }), [422, '/query/type/0'])
})

test('contacts are exported with their account as JSON lines', async () => {
  const account = await created('/api/accounts/', { name: 'Initech', domain: 'initech.example' })
  const contact = await created('/api/contacts/', { last_name: 'Moss', account_id: account.id, tags: ['vip'] })
  const gone = await created('/api/accounts/', { name: 'Gone' })
  await created('/api/contacts/', { last_name: 'Roy', account_id: gone.id })
  await acme.manager.delete(`/api/accounts/${gone.id}`)
  const columns = ['id', 'last_name', 'account_id', 'account_name', 'account_domain', 'tags', 'created_at']

  const { file, lines } = await exported('/api/contacts/exports', { columns, format: 'jsonl' })

  assert.match(file.headers['content-type'], /^application\/x-ndjson/)
  const [moss, roy] = lines.filter(Boolean).map((line) => JSON.parse(line))
  const { id, created_at } = contact
  const ofAccount = { account_id: account.id, account_name: 'Initech', account_domain: 'initech.example' }
  assert.deepEqual(moss, { id, last_name: 'Moss', ...ofAccount, tags: ['vip'], created_at })
  assert.partialDeepStrictEqual(roy, { last_name: 'Roy', account_id: null, account_name: null, account_domain: null })
})

test('an export of accounts has all fields by default', async () => {
  const own = await tenant()
  await own.manager.post('/api/custom-fields/', { object_type: 'account', key: 'tier', label: 'Tier', type: 'text' })
  const { body } = await own.manager.post('/api/accounts/', {
    name: 'Acme',
    address: { city: 'Berlin', country: 'DE' },
    custom: { tier: 'gold' },
  })

  const { lines } = await exported('/api/accounts/exports', {}, own)

  const cells = lines[1]!.split(',')
  const cellOf = (column: string) => cells[lines[0]!.split(',').indexOf(column)]
  const shown = ['id', 'name', 'address.city', 'custom.tier', 'parent_account_id'].map(cellOf)
  assert.deepEqual(shown, [body.id, 'Acme', 'Berlin', 'gold', ''])
})

test('only managers export, unknown columns and rules are rejected, and other workspaces see nothing', async () => {
  const { id } = await exported('/api/accounts/exports', { columns: ['name'] })
  const url = `/api/accounts/exports/${id}`

  assert.equal((await acme.member.post('/api/accounts/exports', {})).status, 403)
  assert.equal((await acme.member.get(url)).status, 403)
  assert.equal((await acme.member.get(`${url}/file`)).status, 403)
  for (const path of [url, `${url}/file`]) assert.equal((await globex.admin.get(path)).status, 404)
  assert.equal((await acme.admin.get(`/api/leads/exports/${id}`)).status, 404)
  assert.equal((await acme.admin.get(`/api/accounts/exports/${newId()}/file`)).status, 404)
  const wrongColumn = await acme.admin.post('/api/accounts/exports', { columns: ['name', 'password_hash'] })
  assert.deepEqual([wrongColumn.status, wrongColumn.body.errors[0].path], [422, '/columns/1'])
  const wrongRule = await acme.admin.post('/api/accounts/exports', { filter: { field: 'nose', op: 'eq', value: 1 } })
  assert.deepEqual([wrongRule.status, wrongRule.body.errors[0].path], [422, '/filter/field'])
  await acme.sql(
    `update crm.exports set expires_at = now() - interval '1 second' where tenant_id = $1 and id = $2::uuid`,
    [acme.id, id],
  )
  const expired = await acme.manager.get(`${url}/file`)
  assert.deepEqual([expired.status, expired.body.code], [410, 'link_expired'])
  assert.partialDeepStrictEqual((await acme.manager.get(url)).body, { state: 'expired', download_url: null })
})

test('a browser downloads an export by a ticket, while its user is signed in as a manager', async () => {
  const leaving = await acme.person('manager')
  const [{ id }, other] = [
    await exported('/api/leads/exports', { columns: ['name'] }),
    await exported('/api/leads/exports', { columns: ['email'] }),
  ]
  const linkOf = async (user = leaving) => (await user.get(`/api/leads/exports/${id}`)).body.download_url as string
  const open = async (url: string) => await app.inject({ method: 'GET', url, headers: { host: acme.host } })
  const url = await linkOf()
  const setRole = (role: string) =>
    acme.sql('update identity.users set role = $2 where id = $1', [leaving.userId, role])

  const file = await open(url)
  const foreign = await open(url.replace(id, other.id))
  await setRole('member')
  const asMember = await open(url)
  await setRole('manager')
  await acme.sql('update identity.sessions set revoked_at = now() where user_id = $1', [leaving.userId])
  const signedOut = await open(url)

  assert.deepEqual(
    [file.statusCode, foreign.statusCode, asMember.statusCode, signedOut.statusCode],
    [200, 401, 404, 404],
  )
  assert.match(String(file.headers['content-disposition']), /^attachment; filename="leads\.csv"/)
  assert.equal((await open(`/api/leads/exports/${id}/file`)).statusCode, 401)
})

test('exports are audited with filter and number of rows, and announced without the file', async () => {
  const own = await tenant()
  await own.manager.post('/api/leads/', { last_name: 'Moss' })
  const filter = { field: 'last_name', op: 'eq', value: 'Moss' }

  const { id } = await exported('/api/leads/exports', { filter, columns: ['name'] }, own)

  const { rows } = await own.sql(
    `select action, user_id, changes from platform.audit_log
     where tenant_id = $1 and resource_id = $2 and resource_type = 'export' order by id`,
    [own.id, id],
  )
  const fields = rows.map(({ action, user_id, changes }) => [
    action,
    user_id,
    Object.fromEntries(changes.map(({ field, after }: { field: string; after: unknown }) => [field, after])),
  ])
  const { userId } = own.manager
  assert.deepEqual(fields, [
    ['export.created', userId, { object_type: 'lead', format: 'csv', columns: ['name'], filter }],
    ['export.completed', userId, { object_type: 'lead', filter, row_count: 1 }],
  ])
  assert.ok((await own.events()).includes('export.completed'))
})

test('a user starts ten exports in 24 hours', async () => {
  const own = await tenant()
  const start = (user = own.manager) => user.post('/api/leads/exports', { columns: ['name'] })
  for (const index of [1, 2, 3, 4, 5, 6, 7, 8])
    await own.sql(
      `insert into crm.exports (tenant_id, id, object_type, format, columns, task_id, created_by, created_at, expires_at)
       values ($1, $2::uuid, 'account', 'csv', '{name}', $2::uuid, $3, now() - $4 * interval '1 hour', now())`,
      [own.id, newId(), own.manager.userId, index],
    )

  const responses = await Promise.all([start(), start(), start(), start()])

  assert.deepEqual(responses.map(({ status }) => status).sort(), [202, 202, 429, 429])
  const refused = responses.find(({ status }) => status === 429)!
  assert.ok(Number(refused.headers['retry-after']) <= 16 * 3_600 && Number(refused.headers['retry-after']) > 15 * 3_600)
  assert.equal((await start(own.admin)).status, 202)
})

test('the erasure of a person deletes the files of exports and ends running ones', async () => {
  const own = await tenant()
  const { body: lead } = await own.manager.post('/api/leads/', { last_name: 'Moss', email: 'moss@exports.example' })
  const filter = { field: 'email', op: 'eq', value: 'moss@exports.example' }
  const { id } = await exported('/api/leads/exports', { filter, query: { search: 'moss' }, columns: ['email'] }, own)
  const waiting = newId()
  await own.sql(
    `insert into crm.exports (tenant_id, id, object_type, format, columns, task_id, expires_at)
     values ($1, $2::uuid, 'lead', 'csv', '{email}', $2::uuid, now() + interval '1 day')`,
    [own.id, waiting],
  )

  const { body: task } = await own.admin.post(`/api/leads/${lead.id}/erase`, { confirm: 'ERASE' })
  assert.equal((await waitForTask(own, task)).state, 'succeeded')

  assert.equal((await own.manager.get(`/api/leads/exports/${id}/file`)).status, 410)
  const states = await Promise.all([id, waiting].map((one) => own.manager.get(`/api/leads/exports/${one}`)))
  assert.deepEqual(
    states.map(({ body }) => body.state),
    ['expired', 'failed'],
  )
  const { rows } = await own.sql(
    `select filter, query, (select count(*)::int from platform.files file
       where file.tenant_id = export.tenant_id and purpose = 'record_export' and deleted_at is null) as files
     from crm.exports export where tenant_id = $1`,
    [own.id],
  )
  assert.deepEqual(rows, Array(2).fill({ filter: null, query: null, files: 0 }))
})
