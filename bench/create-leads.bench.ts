// Compares createLeads in batches of 500 with one lead per transaction and with a bare insert of the same rows into crm.leads.
import { type Actor, systemActor } from '#platform/access'
import { readConfig } from '#platform/config'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { generateKeyEntry } from '#platform/secrets'
import { createTestDatabase, migrateTemplate, openOwnerPool, startPostgres } from '#testing'
import { createLead, createLeads } from '../src/modules/crm/people/leads/create-leads.service.ts'
import { openServices } from '../src/services.ts'
import { median } from './measure.ts'

const batchSize = 500
const batches = 20
const singles = 400

const inputOf = (n: number) => ({
  first_name: 'Ann',
  last_name: `Moss ${n}`,
  email: `ann${n}@initech${n % 100}.example`,
  title: 'CEO',
  company: `Initech ${n % 100}`,
  country: 'DE',
  phone: '+49 30 901820',
  source: 'fair',
  tags: ['berlin'],
})

const columns = `tenant_id, first_name, last_name, name_key, company_key, email, email_kind, phone, phone_e164, title, company,
  company_domain, country, source, status, lifecycle_stage, fit_score, score, grade, score_reasons, score_version, scored_at,
  email_status, call_status, sla_due_at, tags, custom, search_text, created_on`

async function openBench() {
  const server = await startPostgres({ settings: ['shared_buffers=512MB', 'jit=off'] })
  await migrateTemplate(server.url)
  const database = await createTestDatabase(server.url)
  const config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    APP_DOMAIN: 'tributary.test',
    SMTP_URL: 'smtp://127.0.0.1:1',
    DATABASE_URL: database.appUrl,
    DATABASE_SYSTEM_URL: database.systemUrl,
    MAIL_FROM: 'no-reply@tributary.test',
    STORAGE_URL: 'file:///tmp',
    SIGNING_KEYS: generateKeyEntry('bench'),
    SECRETS_KEYS: generateKeyEntry('bench'),
  })
  const { services, close } = await openServices(config)
  await services.jobQueue.start()
  const tenantId = newId()
  const actor: Actor = { ...systemActor(tenantId), origin: 'api' }
  const ownerPool = openOwnerPool(database.ownerUrl)
  return {
    services,
    actor,
    analyze: () => ownerPool.query('vacuum analyze'),
    async stop() {
      await close()
      await ownerPool.end()
      await server.stop()
    },
  }
}

const rate = (count: number, start: number) => (count / (performance.now() - start)) * 1_000

export async function run(): Promise<void> {
  const { services, actor, analyze, stop } = await openBench()
  let next = 0
  const takeInputs = (count: number) => Array.from({ length: count }, () => inputOf(next++))
  const createBatch = async () => {
    const inputs = takeInputs(batchSize)
    const start = performance.now()
    await inTenant(services.db, actor, (tx) => createLeads(tx, actor, inputs, services))
    return rate(batchSize, start)
  }
  const createSingles = async (count: number) => {
    const start = performance.now()
    for (const input of takeInputs(count))
      await inTenant(services.db, actor, (tx) => createLead(tx, actor, input, services))
    return rate(count, start)
  }
  /** Copies the rows of the last batch, so that values and triggers are the same. */
  const insertBare = async () => {
    const start = performance.now()
    const client = await services.db.pool.connect()
    await client.query('begin')
    await client.query(`select set_config('app.tenant_id', $1, true)`, [actor.tenantId])
    await client.query(
      `insert into crm.leads (id, ${columns}) select gen_random_uuid(), ${columns} from crm.leads order by id desc limit ${batchSize}`,
    )
    await client.query('commit')
    client.release()
    return rate(batchSize, start)
  }

  await createSingles(50)
  await createBatch()
  await insertBare()
  // The plans of foreign keys were made for empty tables.
  await analyze()
  const [batchRates, singleRates, bareRates] = [[], [], []] as [number[], number[], number[]]
  for (let batch = 0; batch < batches; batch++) {
    batchRates.push(await createBatch())
    singleRates.push(await createSingles(singles / batches))
    bareRates.push(await insertBare())
  }
  const [inBatches, oneByOne, bare] = [median(batchRates), median(singleRates), median(bareRates)]
  console.log(`  ${Math.round(inBatches).toString().padStart(6)}/s  createLeads, ${batches} batches of ${batchSize}`)
  console.log(`  ${Math.round(oneByOne).toString().padStart(6)}/s  createLead, one transaction each`)
  console.log(`  ${Math.round(bare).toString().padStart(6)}/s  bare insert into crm.leads, ${batchSize} rows`)
  console.log(`  ${(inBatches / bare).toFixed(2)} of the bare insert`)
  await stop()
  console.log(`ratio: ${(inBatches / oneByOne).toFixed(2)}`)
}
