import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fewHostileTexts, hostileTexts } from '../../../../tests/hostile/texts.ts'
import { isNightly } from '../../../../tests/nightly/is-nightly.ts'
import { settingsUrl, startEnrichmentApp, startProvider } from './enrichment.fixture.ts'

const { tenant, putSettings, addLead, dispatch, readJobs, owner } = await startEnrichmentApp()
const acme = await tenant()
// Limits the number to that of a bulk action without a task.
const texts = isNightly ? hostileTexts.slice(0, 200) : fewHostileTexts

const answers = await startProvider('people', (url) => {
  const index = Number(url.searchParams.get('email')!.match(/\d+/)![0])
  const text = texts[index]!
  return {
    title: text,
    industry: text,
    city: text,
    region: text,
    linkedin_url: text,
    website: text,
    country: text,
    n: text,
  }
})

test(`${texts.length} hostile texts in the settings are stored as they are or rejected`, async () => {
  const provider = (changes: object, config: object = {}) => ({
    key: 'people',
    kind: 'http',
    ...changes,
    config: { ...answers.settings.config, ...config },
  })
  const positions = [
    (text: string) => provider({ key: text }),
    (text: string) => provider({ secret: text }),
    (text: string) => provider({}, { url: text }),
    (text: string) => provider({}, { secret_header: text }),
    (text: string) => provider({}, { mapping: { title: text } }),
    (text: string) => provider({}, { mapping: { [text]: '/title' } }),
  ]
  for (const [index, text] of texts.entries())
    for (const position of [index, index + 2]) {
      const changed = positions[position % positions.length]!(text)
      const { status } = await acme.admin.put(settingsUrl, { providers: [changed] })
      assert.ok(status === 200 || status === 422, `${status} ${JSON.stringify(changed).slice(0, 300)}`)
    }
})

test('hostile texts of a provider are stored as they are or dropped', async () => {
  const mapping = Object.fromEntries(
    ['title', 'industry', 'city', 'region', 'linkedin_url', 'website', 'country'].map((field) => [field, `/${field}`]),
  )
  const config = { ...answers.settings.config, mapping: { ...mapping, employee_count: '/n' } }
  await putSettings(acme, { providers: [{ ...answers.settings, config }], monthly_credit_limit: 10_000 })
  const lead_ids: string[] = []
  for (const index of texts.keys()) lead_ids.push((await addLead(acme, { email: `p${index}@gmail.com` })).id)
  await acme.member.post('/api/leads/bulk', { action: 'enrich', lead_ids })
  const isOpen = ({ status }: { status: string }) => ['queued', 'running'].includes(status)
  while ((await readJobs(acme)).some(isOpen)) await dispatch(acme)

  const { rows } = await owner.query(
    `select id, title, industry, website, linkedin_url, employee_count, country from crm.leads where id = any ($1) order by id`,
    [lead_ids],
  )
  const stored = new Map(rows.map((row) => [row.id, row]))
  for (const [index, text] of texts.entries()) {
    const { title, website, linkedin_url, employee_count, country } = stored.get(lead_ids[index]!)
    assert.ok(title === null || title === text.trim(), JSON.stringify([title, text]))
    for (const url of [website, linkedin_url]) assert.ok(url === null || /^(https?:\/\/|[^:]+$)/i.test(url), url)
    assert.deepEqual([employee_count, country], [null, null])
  }
  assert.ok((await readJobs(acme)).every(({ status }) => ['partial', 'no_match'].includes(status)))
  const { body } = await acme.viewer.get('/api/enrichment/queue?limit=200')
  assert.equal(body.items.length, texts.length)
})
