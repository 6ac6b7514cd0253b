import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitForTask } from '#testing'
import { hostileImports } from './hostile-imports.fixture.ts'
import { createImportClient } from './imports.fixture.ts'

const testApp = await startTestApp()
const { tenant, startTestWorker } = testApp
const { upload, map, prepare, start, importFile, rowsOf } = createImportClient(testApp)
await startTestWorker()

type Acme = Awaited<ReturnType<typeof tenant>>
type Outcome = [name: string, status: number, codes: readonly unknown[]]
const byName = ([one]: Outcome, [other]: Outcome) => one.localeCompare(other)

test(`${hostileImports.length} hostile files have the right outcome, each row of them, and none is a server error`, async () => {
  const acme = await tenant()
  assert.ok(hostileImports.length >= 40)
  const outcomes: Outcome[] = []
  const started: { name: string; id: string; task: { status_url: string } }[] = []
  for (const { name, content, status } of hostileImports) {
    const uploaded = await upload(acme, content)
    if (uploaded.status === 201 && status === 201) {
      const mapping = { last_name: 'last_name', email: 'email', notes: 'notes' }
      const id = await map(acme, uploaded.body, { mapping, options: { match_by: 'none' } })
      started.push({ name, id, task: await start(acme, id) })
    } else {
      const { code, errors } = uploaded.body
      outcomes.push([name, uploaded.status, [code === 'validation_failed' ? errors[0].code : code]])
    }
  }
  // One after the other, because every read of a state takes processor time.
  for (const { name, id, task } of started) {
    const { state, error } = await waitForTask(acme, task)
    assert.equal(state, 'succeeded', `${name}: ${JSON.stringify(error)}`)
    const rows = await rowsOf(acme, id)
    outcomes.push([name, 201, rows.map(({ outcome, errors }) => errors[0]?.code ?? outcome)])
  }

  assert.deepEqual(
    outcomes.sort(byName),
    hostileImports.map(({ name, status, expected }): Outcome => [name, status, expected]).sort(byName),
  )
})

const exportOf = async (acme: Acme, type: string, columns: string[]): Promise<string> => {
  const started = await acme.manager.post(`/api/${type}/exports`, { columns })
  assert.equal(started.status, 202, started.text)
  const task = await waitForTask(acme, started.body)
  return (await acme.manager.get(task.result.download_url)).text
}

async function createFields(acme: Acme) {
  const options = ['red', 'blue'].map((key) => ({ key, label: key }))
  const fields = [
    { key: 'colors', type: 'multi_select', options },
    { key: 'budget', type: 'money' },
    { key: 'since', type: 'date' },
    { key: 'size', type: 'number' },
    { key: 'vip', type: 'boolean' },
    { key: 'about', type: 'long_text' },
  ]
  for (const object_type of ['lead', 'contact'])
    for (const field of fields) {
      const body = { ...field, object_type, label: field.key }
      assert.equal((await acme.manager.post('/api/custom-fields/', body)).status, 201)
    }
}

const custom = {
  colors: ['red', 'blue'],
  budget: { amount: '-12.50', currency: 'EUR' },
  since: '2026-02-28',
  size: -1.5,
  vip: true,
  about: '=1+1\n"two", lines; and more',
}
const people = [
  { last_name: '=HYPERLINK("https://evil.example")', phone: '+49 30 1234567', title: "'=1", city: '-1', notes: '@x' },
  { last_name: 'Müller, "Max"', email: 'Max@trip.example', tags: ['vip', 'a;b', '[x'], country: 'DE', custom },
  { last_name: '[x', email: 'x@trip.example', tags: ['[y'], notes: 'two\r\nlines', timezone: 'Europe/Berlin' },
]

test('crm-9-7 exported formulas and phone numbers are imported unchanged, and a second export has the same bytes', async () => {
  const [from, to] = [await tenant(), await tenant()]
  for (const acme of [from, to]) await createFields(acme)
  for (const person of people) {
    const lead = {
      ...person,
      company: '+Acme',
      annual_revenue: { amount: '1250.00', currency: 'EUR' },
      utm: { source: 'ads' },
    }
    const created = await from.manager.post('/api/leads/', { ...lead, source: 'website', status: 'working' })
    assert.equal(created.status, 201, created.text)
    assert.equal((await from.manager.post('/api/contacts/', { ...person, source: 'website' })).status, 201)
  }
  const shared = 'first_name last_name email phone title city country timezone source tags notes lifecycle_stage'
  const customColumns = Object.keys(custom).map((key) => `custom.${key}`)
  const columnsOf = { leads: `${shared} company annual_revenue utm.source status`, contacts: shared }

  for (const [type, names] of Object.entries(columnsOf) as ['leads' | 'contacts', string][]) {
    const columns = [...names.split(' '), ...customColumns]
    const exported = await exportOf(from, type, columns)
    const imported = await importFile(to, exported, { type })
    assert.partialDeepStrictEqual(
      imported.body,
      { created: 3, failed: 0 },
      JSON.stringify(await rowsOf(to, imported.id, { type })),
    )
    if (type === 'leads') {
      assert.match(exported, /"'=HYPERLINK\(""https/)
      assert.match(exported, /,'\+49 30 1234567,/)
    }
    assert.equal(await exportOf(to, type, columns), exported)
  }
  const { body } = await to.manager.get('/api/leads/?sort=created_at')
  assert.partialDeepStrictEqual((await to.manager.get(`/api/leads/${body.items[0].id}`)).body, people[0]!)
})

const rowCount = Number(process.env.IMPORT_ROWS ?? 1_200)

test(`crm-9-10 ${rowCount} rows are imported with progress, and memory does not grow with them`, async (t) => {
  const acme = await tenant()
  const lines = Array.from({ length: rowCount }, (_, n) => `p${n}@many.example,Person ${n},"${'x'.repeat(50)}"`)
  const id = await prepare(acme, `email,last_name,notes\n${lines.join('\n')}\n`)
  const before = process.memoryUsage().rss

  const started = await acme.member.post(`/api/leads/imports/${id}/run`, { dry_run: false })
  const seen: number[] = []
  for (let state = 'queued'; ['queued', 'running'].includes(state); ) {
    const { body } = await acme.member.get(started.body.status_url)
    state = body.state
    seen.push(body.progress.done)
    assert.equal(body.progress.total, rowCount)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }

  const grown = (process.memoryUsage().rss - before) / 1_048_576
  t.diagnostic(`${grown.toFixed(0)} MiB more`)
  assert.equal(seen.at(-1), rowCount)
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  )
  assert.ok(grown < 200, `${grown} MiB`)
  const { body } = await acme.member.get(`/api/leads/imports/${id}`)
  assert.deepEqual([body.state, body.created], ['completed', rowCount])
})
