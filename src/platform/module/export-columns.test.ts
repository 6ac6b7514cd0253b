import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { modules } from '../../modules.ts'
import { listExportColumns } from './export-columns.queries.ts'
import { buildRegistry } from './module.ts'
import type { Tables } from './tables.ts'

const { db, owner } = await startTestDb()
const { tables } = buildRegistry(modules)
const listColumns = (exported: Tables) => inTenant(db, systemActor(newId()), (tx) => listExportColumns(tx, exported))

/** Reviewed: no credential, and nothing that can be guessed is derived from personal data without a key. */
const reviewed = [
  'community.threads.body_hash',
  'crm.lead_ai_results.input_hash',
  'crm.consent_events.subject_hash',
  'crm.erasure_requests.subject_hash',
  'crm.suppressions.subject_hash',
  'identity.users.must_change_password',
  'platform.ai_usage.tokens',
  'platform.audit_log.digest',
  'platform.audit_seals.hash',
  'platform.audit_seals.prev_hash',
  'platform.tenant_usage.ai_tokens',
  'crm.custom_field_unique.value_hash',
  'marketing.enrichment_suggestions.value_hash',
  'surveys.responses.body_hash',
]
const secretName = /hash|digest|secret|token|password|cipher|salt|nonce|verifier/

const listSecretColumns = async (exported: Tables) =>
  [...(await listColumns(exported))]
    .flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`))
    .filter((column) => secretName.test(column.slice(column.lastIndexOf('.') + 1)) && !reviewed.includes(column))

test('no column that looks like a secret is exported', async () => {
  assert.deepEqual(await listSecretColumns(tables), [])
})

test('exporting the API keys in full would be noticed', async () => {
  const found = await listSecretColumns({ 'identity.api_keys': { export: 'full', clean: 'never' } })

  assert.deepEqual(found, ['identity.api_keys.key_hash'])
})

test('exported are the columns of the catalogue without redacted and generated ones, and no skipped table', async () => {
  await owner.query('alter table identity.teams add column region text')

  const columns = await listColumns(tables)

  assert.ok(columns.get('identity.teams')?.includes('region'))
  assert.deepEqual(
    ['key_hash', 'key_prefix', 'id'].filter((column) => columns.get('identity.api_keys')?.includes(column)),
    ['key_prefix', 'id'],
  )
  assert.ok(!columns.get('identity.users')?.includes('email_key'))
  assert.deepEqual(
    ['identity.user_credentials', 'identity.sessions', 'identity.refresh_tokens', 'identity.tenant_secrets'].filter(
      (table) => columns.has(table),
    ),
    [],
  )
})

test('every redacted column exists', async () => {
  const { rows } = await owner.query(
    `select attrelid::regclass || '.' || attname as name from pg_attribute where attnum > 0 and not attisdropped`,
  )
  const names = new Set(rows.map(({ name }) => name))

  const redacted = Object.entries(tables).flatMap(([table, { export: rule }]) =>
    typeof rule === 'object' ? rule.redact.map((column) => `${table}.${column}`) : [],
  )

  assert.deepEqual(
    redacted.filter((column) => !names.has(column)),
    [],
  )
  assert.ok(redacted.length > 2)
})
