import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { listSecretColumns } from '#platform/module'
import { createSecretBox, generateKeyEntry } from '#platform/secrets'
import { startTestApp, waitForValue } from '#testing'
import { readSecret, storeSecret } from '../modules/identity/workspace/settings/tenant-secrets.service.ts'
import { createEndpoint, endpointsUrl } from '../modules/operations/webhook-endpoints/webhook-endpoints.fixture.ts'
import { surveyActions } from '../modules/surveys/surveys.fixture.ts'
import { createOperator } from './operator.stand-in.ts'

const app = await startTestApp({ SAFE_FETCH_ALLOW_PRIVATE: 'true' }, { isOwn: true })
const { config, tenant, db, owner, services } = app
const original = config.SECRETS_KEYS
const operatorWith = (...keys: string[]) => createOperator({ ...config, SECRETS_KEYS: keys.join(',') })
const columns = listSecretColumns(services.registry.tables)
const acme = await tenant()
const beta = await tenant()
const inAcme = <T>(work: Parameters<typeof inTenant<T>>[2]) => inTenant(db, systemActor(acme.id), work)

const countsOf = ({ keys }: { keys: { kid: string; state: string; secrets: number }[] }) =>
  Object.fromEntries(keys.map(({ kid, state, secrets }) => [kid, [state, secrets]]))

async function insertErasureRequest(): Promise<void> {
  const id = newId()
  const location = { tenantId: acme.id, table: 'crm.erasure_requests', column: 'subject_ciphertext', row: id }
  const { kid, ciphertext } = services.secrets.seal('{"names":["Moss"]}', location)
  await acme.sql(
    `insert into crm.erasure_requests (tenant_id, id, subject_hash, record_type, record_id, keep_suppression, created_at,
       subject_kid, subject_ciphertext) values ($1, $2, $3, 'lead', $2, false, now(), $4, $5)`,
    [acme.id, id, Buffer.alloc(32), kid, ciphertext],
  )
}

await inAcme((tx) => storeSecret(tx, services.secrets, 'ai.api_key', 'sk-hush-0123456789'))
await inTenant(db, systemActor(beta.id), async (tx) => {
  for (let number = 0; number < 101; number += 1) await storeSecret(tx, services.secrets, `batch.${number}`, 'hush')
})
const endpoint = await createEndpoint(acme)
await acme.manager.post(`${endpointsUrl}/${endpoint.id}/rotate-secret`)
const surveys = surveyActions(app, acme)
await surveys.createLink(await surveys.createSurvey())
await acme.member.post('/api/enablement/rooms/', { name: 'Globex deal' })
await insertErasureRequest()
const total = (await operatorWith(original).run('keys', 'reencrypt', '--check', '--json')).body.keys[0].secrets

test('secrets of every column are encrypted with the newest key, so that the old one can be removed', async () => {
  const [second, third] = [generateKeyEntry('second'), generateKeyEntry('third')]

  const check = await operatorWith(second, original).run('keys', 'reencrypt', '--check', '--json')
  const rotated = await operatorWith(second, original).run('keys', 'reencrypt', '--json')
  const repeated = await operatorWith(second, original).run('keys', 'reencrypt', '--json')
  const withoutOriginal = await operatorWith(third, second).run('keys', 'reencrypt')
  const box = createSecretBox(third)
  const secret = await inAcme((tx) => readSecret(tx, box, 'ai.api_key'))
  const restored = await operatorWith(original, third).run('keys', 'reencrypt', '--json')

  assert.deepEqual([check.exitCode, check.body.reencrypted], [0, 0])
  assert.deepEqual(countsOf(check.body), { second: ['newest', 0], test: ['older', total] })
  assert.deepEqual([rotated.exitCode, rotated.body.reencrypted, rotated.body.unreadable], [0, total, 0])
  assert.deepEqual(countsOf(rotated.body), { second: ['newest', total], test: ['older', 0] })
  assert.deepEqual(
    rotated.body.columns.filter(({ reencrypted }: { reencrypted: number }) => !reencrypted),
    [],
    'every declared column needs a secret in this test',
  )
  assert.equal(repeated.body.reencrypted, 0)
  assert.equal(withoutOriginal.exitCode, 0, withoutOriginal.err)
  assert.match(
    withoutOriginal.out,
    new RegExp(`^Encrypted ${total} secrets again; 0 were changed during the run\\.$`, 'm'),
  )
  assert.match(withoutOriginal.out, new RegExp(`^Key third: ${total} secrets; encrypts new secrets$`, 'm'))
  assert.doesNotMatch(withoutOriginal.out, /hush/)
  assert.equal(secret, 'sk-hush-0123456789')
  assert.equal(restored.body.reencrypted, total)
})

test('a secret that is replaced during the run is not overwritten', async () => {
  const next = generateKeyEntry('next')
  const isWaiting = async () =>
    (await owner.query(`select count(*)::int as waiting from pg_locks where not granted`)).rows[0].waiting > 0

  const command = await inAcme(async (tx) => {
    await storeSecret(tx, services.secrets, 'ai.api_key', 'sk-replaced-0123456789')
    const running = operatorWith(next, original).run('keys', 'reencrypt', '--json')
    await waitForValue(isWaiting, (waiting) => waiting)
    return { running }
  })
  const { body } = await command.running
  const secret = await inAcme((tx) => readSecret(tx, createSecretBox(original), 'ai.api_key'))
  const later = await operatorWith(original, next).run('keys', 'reencrypt', '--json')

  assert.equal(body.changed, 1)
  assert.deepEqual(countsOf(body), { next: ['newest', total - 1], test: ['older', 1] })
  assert.equal(secret, 'sk-replaced-0123456789')
  assert.equal(later.body.reencrypted, total - 1)
})

test('secrets that cannot be decrypted are reported, and the others are encrypted', async () => {
  const next = generateKeyEntry('next')
  const setKey = (name: string, kid: string) =>
    beta.sql('update identity.tenant_secrets set kid = $3 where tenant_id = $1 and name = $2', [beta.id, name, kid])
  await setKey('batch.0', 'lost')
  await beta.sql(
    `update identity.tenant_secrets set ciphertext = decode('00', 'hex') where tenant_id = $1 and name = 'batch.1'`,
    [beta.id],
  )

  const check = await operatorWith(next, original).run('keys', 'reencrypt', '--check', '--json')
  const incomplete = await operatorWith(next, original).run('keys', 'reencrypt', '--json')
  const without = await createOperator({ ...config, SECRETS_KEYS: '' }).run('keys', 'reencrypt')
  const { rows: entries } = await owner.query(
    `select args, outcome from identity.operator_audit where command = 'keys reencrypt' order by id desc limit 3`,
  )

  assert.deepEqual([check.exitCode, check.body.unreadable], [1, 1])
  assert.equal(incomplete.exitCode, 1)
  assert.match(incomplete.err, /^\{"error":\{"code":"internal_error","message":"2 secrets cannot be decrypted\./)
  assert.deepEqual([incomplete.body.reencrypted, incomplete.body.unreadable], [total - 2, 2])
  assert.deepEqual(incomplete.body.examples, [
    { tenant_id: beta.id, column: 'identity.tenant_secrets.ciphertext', row: 'batch.0', kid: 'lost' },
    { tenant_id: beta.id, column: 'identity.tenant_secrets.ciphertext', row: 'batch.1', kid: 'test' },
  ])
  assert.equal(without.exitCode, 1)
  assert.match(without.err, /^SECRETS_KEYS is missing/)
  assert.deepEqual(entries, [
    { args: { check: false }, outcome: 'failed' },
    { args: { check: false, reencrypted: total - 2, unreadable: 2 }, outcome: 'incomplete' },
    { args: { check: true, reencrypted: 0, unreadable: 1 }, outcome: 'incomplete' },
  ])
})

/** Binary columns with hashes, signatures and random numbers. */
const unencrypted = /[._](hash|digest|salt|sha256|signature|bucket|seed)$/

test('every column with encrypted values is declared, and no other location can be encrypted', async () => {
  const { rows } = await owner.query(
    `select format('%s.%s', a.attrelid::regclass, a.attname) as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
       and c.relnamespace::regnamespace::text !~ '^(pg_|pgboss|information_schema)'
       and (a.atttypid = 'bytea'::regtype or a.attname ~ '(^|_)kid$')`,
  )
  const declared = columns.flatMap(({ table, ciphertext, kid }) => [`${table}.${ciphertext}`, `${table}.${kid}`])
  const location = { tenantId: acme.id, table: 'crm.leads', column: 'custom', row: newId() }

  const undeclared = rows.map(({ name }) => name).filter((name) => !declared.includes(name) && !unencrypted.test(name))

  assert.deepEqual(undeclared, ['identity.refresh_tokens.signing_kid'])
  assert.throws(() => services.secrets.seal('hush', location), /crm\.leads\.custom must be declared/)
})
