import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Actor, operatorActor, publicActor, systemActor } from '#platform/access'
import { enterTenant, inSystem, inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { recordAudit, recordAuditDenial, recordAuditEntries, redactAuditEntries } from './index.ts'

const { db, systemDb, owner } = await startTestDb()

const createUserActor = (tenantId: string): Actor => ({
  ...systemActor(tenantId),
  type: 'user',
  userId: newId(),
  sessionId: newId(),
  origin: 'api',
  trace: { requestId: 'req-1', ip: '203.0.113.7', userAgent: 'Firefox' },
})

const listEntries = (actor: Actor) =>
  inTenant(db, actor, (tx) =>
    tx
      .selectFrom('platform.audit_log')
      .select(['action', 'resource_type', 'resource_id', 'resource_label', 'outcome', 'reason', 'changes'])
      .orderBy('id')
      .execute(),
  )

test('an entry contains the changed fields before and after', async () => {
  const actor = createUserActor(newId())
  const id = newId()

  await inTenant(db, actor, (tx) =>
    recordAudit(tx, 'lead.updated', {
      id,
      label: 'Ada Lovelace',
      before: { status: 'new', score: 10, version: 1 },
      after: { status: 'qualified', score: 10, version: 2 },
      reason: 'Asked for a demo',
    }),
  )

  assert.deepEqual(await listEntries(actor), [
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

test('a rolled-back change leaves no entry', async () => {
  const actor = createUserActor(newId())

  const undone = inTenant(db, actor, async (tx) => {
    await recordAudit(tx, 'lead.deleted', { id: newId() })
    throw new Error('changed my mind')
  })

  await assert.rejects(undone, /changed my mind/)
  assert.deepEqual(await listEntries(actor), [])
})

test('an entry contains the actor, impersonator, credential, session and client', async () => {
  const tenantId = newId()
  const user = createUserActor(tenantId)
  const admin: Actor = { ...user, type: 'impersonation', actorUserId: newId(), sessionId: newId() }
  const key: Actor = { ...user, type: 'api_key', apiKeyId: newId(), sessionId: null }
  const visitor = publicActor(tenantId, { requestId: 'req-2', ip: '2001:db8::1', userAgent: null })
  const actors = [user, admin, key, visitor, systemActor(tenantId), operatorActor(tenantId)]

  for (const actor of actors) await inTenant(db, actor, (tx) => recordAudit(tx, 'lead.viewed', { id: null }))

  const rows = await inTenant(db, user, (tx) =>
    tx
      .selectFrom('platform.audit_log')
      .select(['actor_type', 'user_id', 'actor_user_id', 'api_key_id', 'session_id', 'ip', 'user_agent', 'request_id'])
      .orderBy('id')
      .execute(),
  )
  assert.deepEqual(
    rows,
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

test('a denied action is recorded as denied', async () => {
  const actor = createUserActor(newId())

  await inTenant(db, actor, (tx) =>
    recordAuditDenial(tx, 'settings.read', { id: null, reason: 'admin.read is missing' }),
  )

  const [entry] = await listEntries(actor)
  assert.deepEqual([entry?.outcome, entry?.reason, entry?.changes], ['denied', 'admin.read is missing', null])
})

test('many entries are recorded in one statement', async () => {
  const actor = createUserActor(newId())
  const ids = Array.from({ length: 1_000 }, newId)
  const entries = ids.map((id, n) => ({ id, label: `Lead "${n}", {x\\y}`, after: { n, note: null, text: `{"${n}"}` } }))

  await inTenant(db, actor, (tx) => recordAuditEntries(tx, 'lead.created', entries))
  await inTenant(db, actor, (tx) => recordAuditEntries(tx, 'lead.created', []))

  const written = await listEntries(actor)
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

test('no input can prevent an entry from being recorded', async () => {
  const actor: Actor = {
    ...createUserActor(newId()),
    trace: { requestId: 'r'.repeat(500), ip: 'fe80::1%eth0', userAgent: `\0\uD800${'😀'.repeat(3_000)}` },
  }

  await inTenant(db, actor, (tx) =>
    recordAudit(tx, 'lead.updated', {
      id: newId(),
      label: `${'x'.repeat(199)}😀 and more`,
      reason: `token svc_live_${'a1'.repeat(19)} ${'y'.repeat(5_000)}`,
      after: { text: 'a\0b\uD800c', '\uDC00name\0': 1e308, tiny: 5e-324, literal: '\\u0000' },
    }),
  )

  const [entry] = await listEntries(actor)
  assert.equal(entry?.resource_label, 'x'.repeat(199))
  assert.match(entry?.reason ?? '', /^token \[redacted\] y+$/)
  assert.deepEqual(entry?.changes, [
    { field: 'text', before: null, after: 'a\uFFFDb\uFFFDc' },
    { field: '\uDC00name\0'.replace(/[\uDC00\0]/g, '\uFFFD'), before: null, after: 1e308 },
    { field: 'tiny', before: null, after: 5e-324 },
    { field: 'literal', before: null, after: '\\u0000' },
  ])
})

test('no secret is stored', async () => {
  const actor = createUserActor(newId())
  const secret = `canary-${newId()}`

  await inTenant(db, actor, (tx) =>
    recordAudit(tx, 'settings.updated', {
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

test('entries of another tenant are not visible to requests or jobs', async () => {
  const [one, other] = [createUserActor(newId()), createUserActor(newId())]
  await inTenant(db, one, (tx) => recordAudit(tx, 'lead.created', { id: newId() }))
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

test('neither the application role nor the system role can change the log', async () => {
  const actor = createUserActor(newId())
  await inTenant(db, actor, (tx) => recordAudit(tx, 'lead.created', { id: newId() }))
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
  const attemptsOfRequests = [
    sql`select platform.redact_audit('lead', '{}')`,
    sql`set local role app_retention`,
    sql`update platform.audit_sealing set epoch = 7`,
    sql`insert into platform.audit_seals (id, epoch, from_xact, to_xact, count, prev_hash, hash)
      values (${newId()}, 1, '0', '1', 1, ${Buffer.alloc(32)}, ${Buffer.alloc(32)})`,
  ]

  for (const attempt of [...attempts, ...attemptsOfRequests])
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

test('redaction affects only the given records of one tenant', async () => {
  const [one, other] = [createUserActor(newId()), createUserActor(newId())]
  const [erased, kept] = [newId(), newId()]
  for (const actor of [one, other])
    for (const id of [erased, kept])
      await inTenant(db, actor, (tx) => recordAudit(tx, 'lead.created', { id, label: 'Ada', after: { name: 'Ada' } }))
  await inTenant(db, one, (tx) =>
    recordAudit(tx, 'contact.created', { id: erased, label: 'Ada', after: { name: 'Ada' } }),
  )

  const count = await inSystem(systemDb, async (tx) => redactAuditEntries(await enterTenant(tx, one), 'lead', [erased]))

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

test('redaction without a tenant has no effect', async () => {
  const actor = createUserActor(newId())
  const id = newId()
  await inTenant(db, actor, (tx) => recordAudit(tx, 'lead.created', { id, label: 'Ada' }))

  await inSystem(systemDb, (tx) => sql`select platform.redact_audit('lead', ${[id]}::uuid[])`.execute(tx))

  assert.equal((await listEntries(actor))[0]?.resource_label, 'Ada')
})
