import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Actor, operatorIn, systemIn, visitorIn } from '#platform/access'
import { enterTenant, inSystem, inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { record, recordDenied, recordEach, redactAudit } from './index.ts'

const { db, systemDb, owner } = await startTestDb()

const userIn = (tenantId: string): Actor => ({
  ...systemIn(tenantId),
  type: 'user',
  userId: newId(),
  sessionId: newId(),
  origin: 'api',
  trace: { requestId: 'req-1', ip: '203.0.113.7', userAgent: 'Firefox' },
})

const entriesOf = (actor: Actor) =>
  inTenant(db, actor, (tx) =>
    tx
      .selectFrom('platform.audit_log')
      .select(['action', 'resource_type', 'resource_id', 'resource_label', 'outcome', 'reason', 'changes'])
      .orderBy('id')
      .execute(),
  )

test('a change is noted with its fields before and after, in the transaction of the change', async () => {
  const actor = userIn(newId())
  const id = newId()

  await inTenant(db, actor, (tx) =>
    record(tx, 'lead.updated', {
      id,
      label: 'Ada Lovelace',
      before: { status: 'new', score: 10, version: 1 },
      after: { status: 'qualified', score: 10, version: 2 },
      reason: 'Asked for a demo',
    }),
  )

  assert.deepEqual(await entriesOf(actor), [
    {
      action: 'lead.updated',
      resource_type: 'lead',
      resource_id: id,
      resource_label: 'Ada Lovelace',
      outcome: 'success',
      reason: 'Asked for a demo',
      changes: [{ field: 'status', before: 'new', after: 'qualified' }],
    },
  ])
})

test('a change that is undone leaves no entry', async () => {
  const actor = userIn(newId())

  const undone = inTenant(db, actor, async (tx) => {
    await record(tx, 'lead.deleted', { id: newId() })
    throw new Error('changed my mind')
  })

  await assert.rejects(undone, /changed my mind/)
  assert.deepEqual(await entriesOf(actor), [])
})

test('an entry says who acted, on whose behalf, through what and from where', async () => {
  const tenantId = newId()
  const user = userIn(tenantId)
  const admin: Actor = { ...user, type: 'impersonation', actorUserId: newId(), sessionId: newId() }
  const key: Actor = { ...user, type: 'api_key', apiKeyId: newId(), sessionId: null }
  const visitor = visitorIn(tenantId, { requestId: 'req-2', ip: '2001:db8::1', userAgent: null })
  const actors = [user, admin, key, visitor, systemIn(tenantId), operatorIn(tenantId)]

  for (const actor of actors) await inTenant(db, actor, (tx) => record(tx, 'lead.viewed', { id: null }))

  const written = await inTenant(db, user, (tx) =>
    tx
      .selectFrom('platform.audit_log')
      .select(['actor_type', 'user_id', 'actor_user_id', 'api_key_id', 'session_id', 'ip', 'user_agent', 'request_id'])
      .orderBy('id')
      .execute(),
  )
  assert.deepEqual(
    written,
    actors.map(({ type, userId, actorUserId, apiKeyId, sessionId, trace }) => ({
      actor_type: type,
      user_id: userId,
      actor_user_id: actorUserId,
      api_key_id: apiKeyId,
      session_id: sessionId,
      ip: trace?.ip ?? null,
      user_agent: trace?.userAgent ?? null,
      request_id: trace?.requestId ?? null,
    })),
  )
})

test('a refusal is noted as one', async () => {
  const actor = userIn(newId())

  await inTenant(db, actor, (tx) => recordDenied(tx, 'settings.read', { id: null, reason: 'admin.read is missing' }))

  const [entry] = await entriesOf(actor)
  assert.deepEqual([entry?.outcome, entry?.reason, entry?.changes], ['denied', 'admin.read is missing', null])
})

test('many records are noted in one statement', async () => {
  const actor = userIn(newId())
  const ids = Array.from({ length: 1_000 }, newId)
  const entries = ids.map((id, n) => ({ id, label: `Lead "${n}", {x\\y}`, after: { n, note: null, text: `{"${n}"}` } }))

  await inTenant(db, actor, (tx) => recordEach(tx, 'lead.created', entries))
  await inTenant(db, actor, (tx) => recordEach(tx, 'lead.created', []))

  const written = await entriesOf(actor)
  assert.deepEqual(
    new Map(written.map(({ resource_id, resource_label, changes }) => [resource_id, [resource_label, changes]])),
    new Map(
      entries.map(({ id, label, after: { n, text } }) => [
        id,
        [
          label,
          [
            { field: 'n', before: null, after: n },
            { field: 'text', before: null, after: text },
          ],
        ],
      ]),
    ),
  )
})

test('nothing a browser or a person sends keeps a change from being noted', async () => {
  const actor: Actor = {
    ...userIn(newId()),
    trace: { requestId: 'r'.repeat(500), ip: 'fe80::1%eth0', userAgent: `\0\uD800${'😀'.repeat(3_000)}` },
  }

  await inTenant(db, actor, (tx) =>
    record(tx, 'lead.updated', {
      id: newId(),
      label: `${'x'.repeat(199)}😀 and more`,
      reason: `token svc_live_${'a1'.repeat(19)} ${'y'.repeat(5_000)}`,
      after: { text: 'a\0b\uD800c', '\uDC00name\0': 1e308, tiny: 5e-324, literal: '\\u0000' },
    }),
  )

  const [entry] = await entriesOf(actor)
  assert.equal(entry?.resource_label, 'x'.repeat(199))
  assert.match(entry?.reason ?? '', /^token \[redacted\] y+$/)
  assert.deepEqual(entry?.changes, [
    { field: 'text', before: null, after: 'a\uFFFDb\uFFFDc' },
    { field: '\uDC00name\0'.replace(/[\uDC00\0]/g, '\uFFFD'), before: null, after: 1e308 },
    { field: 'tiny', before: null, after: 5e-324 },
    { field: 'literal', before: null, after: '\\u0000' },
  ])
})

test('no secret reaches the table', async () => {
  const actor = userIn(newId())
  const secret = `canary-${newId()}`

  await inTenant(db, actor, (tx) =>
    record(tx, 'settings.updated', {
      id: null,
      label: 'sso',
      before: { password_hash: secret, okta: { client_secret: secret } },
      after: { password_hash: `${secret}2`, okta: { client_secret: `${secret}2`, domain: 'okta.example' } },
    }),
  )

  const { rows } = await owner.query('select audit_log::text as line from platform.audit_log where tenant_id = $1', [
    actor.tenantId,
  ])
  assert.equal(rows.length, 1)
  assert.doesNotMatch(rows[0].line, /canary/)
  assert.match(rows[0].line, /\[redacted\].*okta\.example/)
})

test('an entry of another tenant is not there, neither for requests nor for jobs', async () => {
  const [one, other] = [userIn(newId()), userIn(newId())]
  await inTenant(db, one, (tx) => record(tx, 'lead.created', { id: newId() }))
  const count = (tx: TenantTx) => tx.selectFrom('platform.audit_log').select('id').execute()

  assert.equal((await inTenant(db, one, count)).length, 1)
  assert.equal((await inTenant(db, other, count)).length, 0)
  assert.equal((await inSystem(systemDb, async (tx) => count(await enterTenant(tx, other)))).length, 0)
  const forged = inTenant(db, other, (tx) =>
    sql`insert into platform.audit_log (tenant_id, id, action, resource_type, actor_type, salt, digest)
      values (${one.tenantId}, ${newId()}, 'lead.created', 'lead', 'user', ${Buffer.alloc(16)}, ${Buffer.alloc(32)})`.execute(
      tx,
    ),
  )
  await assert.rejects(forged, /row-level security/)
})

test('nobody rewrites the log: neither the role of requests nor that of the worker', async () => {
  const actor = userIn(newId())
  await inTenant(db, actor, (tx) => record(tx, 'lead.created', { id: newId() }))
  const partition = `audit_log_${new Date().toISOString().slice(0, 7).replace('-', '')}`
  const attempts = [
    sql`update platform.audit_log set reason = 'x'`,
    sql`update platform.audit_log set redacted_at = now(), salt = null, changes = null, resource_label = null`,
    sql`delete from platform.audit_log`,
    sql`truncate platform.audit_log`,
    sql`update platform.audit_seals set count = 1`,
    sql`delete from platform.audit_seals`,
    sql`delete from ${sql.table(`platform.${partition}`)}`,
    sql`select id from ${sql.table(`platform.${partition}`)}`,
  ]
  const onlyForRequests = [
    sql`select platform.redact_audit('lead', '{}')`,
    sql`set local role app_retention`,
    sql`update platform.audit_sealing set epoch = 7`,
    sql`insert into platform.audit_seals (id, epoch, from_xact, to_xact, count, prev_hash, hash)
      values (${newId()}, 1, '0', '1', 1, ${Buffer.alloc(32)}, ${Buffer.alloc(32)})`,
  ]

  for (const attempt of [...attempts, ...onlyForRequests])
    await assert.rejects(
      inTenant(db, actor, (tx) => attempt.execute(tx)),
      { code: '42501' },
    )
  for (const attempt of attempts)
    await assert.rejects(
      inSystem(systemDb, async (tx) => attempt.execute(await enterTenant(tx, actor))),
      { code: '42501' },
    )
})

test('what is said about an erased record is blanked, in this tenant and for these records only', async () => {
  const [one, other] = [userIn(newId()), userIn(newId())]
  const [erased, kept] = [newId(), newId()]
  for (const actor of [one, other])
    for (const id of [erased, kept])
      await inTenant(db, actor, (tx) => record(tx, 'lead.created', { id, label: 'Ada', after: { name: 'Ada' } }))
  await inTenant(db, one, (tx) => record(tx, 'contact.created', { id: erased, label: 'Ada', after: { name: 'Ada' } }))

  const count = await inSystem(systemDb, async (tx) => redactAudit(await enterTenant(tx, one), 'lead', [erased]))

  assert.equal(count, 1)
  const { rows } = await owner.query(
    `select tenant_id, resource_type, resource_id, resource_label, changes, salt, digest from platform.audit_log
     where tenant_id = any($1) and redacted_at is not null`,
    [[one.tenantId, other.tenantId]],
  )
  assert.deepEqual(
    rows.map(({ digest, ...row }) => ({ ...row, digest: digest.length })),
    [
      {
        tenant_id: one.tenantId,
        resource_type: 'lead',
        resource_id: erased,
        resource_label: null,
        changes: null,
        salt: null,
        digest: 32,
      },
    ],
  )
})

test('outside a tenant nothing is erased', async () => {
  const actor = userIn(newId())
  const id = newId()
  await inTenant(db, actor, (tx) => record(tx, 'lead.created', { id, label: 'Ada' }))

  await inSystem(systemDb, (tx) => sql`select platform.redact_audit('lead', ${[id]}::uuid[])`.execute(tx))

  assert.equal((await entriesOf(actor))[0]?.resource_label, 'Ada')
})
