import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopesOfRole, systemActor, type UserActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { applyToRecords } from '../bulk/apply-to-records.service.ts'
import type { BulkAction } from '../bulk/bulk-action.ts'
import { leadBulk } from './lead-bulk-kind.ts'

const { tenant, db, services } = await startTestApp()

const setNotes = (tx: TenantTx, ids: readonly string[], notes: string) =>
  tx
    .updateTable('crm.leads')
    .set({ notes })
    .where('id', 'in', [...ids])
    .execute()

test('if applyToAll fails, it is rolled back and the leads are processed one by one', async () => {
  const acme = await tenant()
  const lead = async () => (await acme.member.post('/api/leads/', { last_name: 'Moss' })).body.id
  const [one, rejected, other, missing] = [await lead(), await lead(), await lead(), newId()]
  const tried: string[] = []
  const action: BulkAction = {
    name: 'test',
    takes: [],
    async apply(tx, id) {
      tried.push(id)
      await setNotes(tx, [id], 'alone')
      if (id === rejected) throw conflict('invalid_transition', 'Rejected.')
      return id !== other
    },
    async applyToAll(tx, ids) {
      await setNotes(tx, ids, 'together')
      throw conflict('invalid_transition', 'Rejected for all.')
    },
  }
  const role = 'member' as const
  const actor: UserActor = {
    ...systemActor(acme.id),
    type: 'user',
    role,
    scopes: scopesOfRole(role),
    userId: acme.member.userId,
    actorUserId: null,
    sessionId: null,
    apiKeyId: null,
  }

  const outcomes = await inTenant(db, actor, (tx) =>
    applyToRecords(tx, [one, rejected, missing, other], {
      kind: leadBulk,
      action,
      params: {},
      actor,
      now: new Date(),
      requestKey: newId(),
      offset: 0,
      services,
    }),
  )

  assert.deepEqual(
    outcomes.map(({ id, outcome, code }) => [id, code ?? outcome]),
    [
      [one, 'ok'],
      [rejected, 'invalid_transition'],
      [missing, 'not_found'],
      [other, 'unchanged'],
    ],
  )
  assert.deepEqual(tried, [one, rejected, other])
  const { rows } = await acme.sql('select notes from crm.leads where id = any ($1) order by id', [
    [one, rejected, other],
  ])
  assert.deepEqual(
    rows.map(({ notes }) => notes),
    ['alone', null, 'alone'],
  )
})
