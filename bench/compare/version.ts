import { execFileSync } from 'node:child_process'
import { hash } from '@node-rs/argon2'
import pg from 'pg'
import { databaseUrls, password } from '#testing'
import { createEnvironment, domain, startApi } from '../api.ts'
import { createHttpClient } from '../http-client.ts'

const slug = 'compare'
const email = 'admin@compare.example'

type Servers = { postgresUrl: string; redisUrl: string; leads: number }

/** Migrates and fills a database with the code of a checkout and starts its API. */
export async function openVersion(name: string, checkout: string, { postgresUrl, redisUrl, leads }: Servers) {
  const database = databaseUrls(postgresUrl, `compare_${name}`)
  const environment = createEnvironment(database, {
    DATABASE_OWNER_URL: database.ownerUrl,
    LOG_LEVEL: 'info',
    RATE_LIMIT_FACTOR: '100',
    REDIS_URL: redisUrl,
    SMTP_URL: '',
  })
  const server = new pg.Client(`${postgresUrl}/postgres`)
  await server.connect()
  await server.query(`create database compare_${name}`)
  await server.end()
  const env = { PATH: process.env.PATH, ...environment }
  execFileSync(process.execPath, ['src/main.ts', 'migrate'], {
    cwd: checkout,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await fillVersionDatabase(database.ownerUrl, leads)

  const api = await startApi(environment, checkout)
  return { name, url: `http://127.0.0.1:${api.port}`, stop: api.stop, ...(await signInAt(api.port)) }
}

/** Signs in the admin at an API process. */
export async function signInAt(port: number) {
  const host = `${slug}.${domain}`
  const { body } = await createHttpClient(port, { host }).send({
    method: 'POST',
    path: '/api/auth/login',
    body: { email, password },
  })
  const headers = { host, authorization: `Bearer ${body.access_token}` }
  return { headers, ...createHttpClient(port, headers) }
}

/** Inserts the same rows for every version, with columns that all versions have. */
export async function fillVersionDatabase(ownerUrl: string, leads: number): Promise<void> {
  const owner = new pg.Client(ownerUrl)
  await owner.connect()
  const { rows } = await owner.query(
    `insert into identity.tenants (id, slug, name) values (gen_random_uuid(), $1, 'Compare') returning id`,
    [slug],
  )
  const tenantId = rows[0].id
  const admin = await owner.query(
    `with admin as (
       insert into identity.users (tenant_id, id, email, name, role, status, forecast_participant, source, search_text, email_verified_at)
       values ($1, gen_random_uuid(), $2, 'Admin', 'admin', 'active', false, 'admin', 'admin', now()) returning tenant_id, id
     ), presence as (insert into identity.user_presence (tenant_id, user_id) select tenant_id, id from admin)
     insert into identity.user_credentials (tenant_id, user_id, password_hash, password_changed_at)
     select tenant_id, id, $3, now() from admin returning user_id`,
    [tenantId, email, await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })],
  )
  await owner.query(
    `insert into crm.leads (tenant_id, id, first_name, last_name, name_key, company, company_key, email, email_kind, company_domain, title,
       source, status, lifecycle_stage, owner_id, assigned_at, score, fit_score, grade, scored_at, sla_due_at, tags, search_text, created_by,
       created_at, updated_at, created_on)
     select $1, md5('lead ' || n)::uuid, 'Person' || n, 'Last', 'person' || n || ' last', 'Company ' || n % 5000, 'company ' || n % 5000,
       'person' || n || '@company' || n % 5000 || '.example', 'business', 'company' || n % 5000 || '.example', 'Head of Sales',
       (array['web', 'fair', 'api', 'manual'])[1 + n % 4], (array['new', 'contacted', 'working', 'nurturing', 'qualified'])[1 + n % 5],
       'lead', $2::uuid, at, n % 101, n % 101, (array['C', 'B', 'A'])[1 + n % 101 / 34], at, at + interval '1 day', '{fair,2026}',
       ' person' || n || ' last company ' || n % 5000, $2::uuid, at, at, at::date
     from generate_series(1, $3::integer) n, lateral (select timestamptz '2026-01-01' + n * interval '1 minute' as at) as created`,
    [tenantId, admin.rows[0].user_id, leads],
  )
  await owner.query('vacuum analyze')
  await owner.end()
}
