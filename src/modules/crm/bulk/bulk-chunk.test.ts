import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SignedIn, scopesOfRole, systemIn } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import type { BulkAction } from '#platform/module'
import { startTestApp } from '#testing'
import { changeChunk } from './bulk-chunk.service.ts'

const { tenant, db } = await startTestApp()

const note = (tx: TenantTx, ids: readonly string[], notes: string) =>
  tx
    .updateTable('crm.leads')
    .set({ notes })
    .where('id', 'in', [...ids])
    .execute()

test('leads that cannot be changed together are changed one by one, and nothing of the attempt stays', async () => {
  const acme = await tenant()
  const lead = async () => (await acme.member.post('/api/leads/', { last_name: 'Moss' })).body.id
  const [one, touchy, other, absent] = [await lead(), await lead(), await lead(), newId()]
  const tried: string[] = []
  const action: BulkAction = {
    ...{ resource: 'leads', name: 'test', takes: [] },
    async apply(tx, id) {
      tried.push(id)
      await note(tx, [id], 'alone')
      if (id === touchy) throw conflict('invalid_transition', 'Not this one.')
      return id !== other
    },
    async applyToAll(tx, ids) {
      await note(tx, ids, 'together')
      throw conflict('invalid_transition', 'Not all of them.')
    },
  }
  const role = 'member' as const
  const actor: SignedIn = {
    ...{ ...systemIn(acme.id), type: 'user', role, scopes: scopesOfRole(role) },
    ...{ userId: acme.member.userId, actorUserId: null, sessionId: null, apiKeyId: null },
  }

  const outcomes = await inTenant(db, actor, (tx) =>
    changeChunk(tx, [one, touchy, absent, other], { action, params: {}, actor, now: new Date() }),
  )

  assert.deepEqual(
    outcomes.map(({ lead_id, outcome, code }) => [lead_id, code ?? outcome]),
    [
      [one, 'ok'],
      [touchy, 'invalid_transition'],
      [absent, 'not_found'],
      [other, 'unchanged'],
    ],
  )
  assert.deepEqual(tried, [one, touchy, other])
  const { rows } = await acme.sql('select notes from crm.leads where id = any ($1) order by id', [[one, touchy, other]])
  assert.deepEqual(
    rows.map(({ notes }) => notes),
    ['alone', null, 'alone'],
  )
})
