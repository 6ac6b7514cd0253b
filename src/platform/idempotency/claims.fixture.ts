import assert from 'node:assert/strict'
import { type Actor, systemIn } from '#platform/access'
import { type Db, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { type Claim, claim, hashRequest, storeAnswer } from './index.ts'

type Request = Parameters<typeof claim>[2]

export const userIn = (tenantId = newId()): Actor => ({
  ...systemIn(tenantId),
  type: 'user',
  userId: newId(),
  sessionId: newId(),
})

export const requestOf = (body: unknown = { email: 'ada@example.com' }): Request => ({
  route: 'POST /api/leads/',
  key: 'k-1',
  requestHash: hashRequest({ path: {}, query: {}, body }),
})

export const created = { status: 201, headers: { location: '/api/leads/1' }, body: '{"id":"1"}' }

export const at = (seconds: number) => new Date(Date.parse('2026-03-01T09:00:00Z') + seconds * 1_000)

export const claimsOn = (db: Db) => ({
  async claimed(actor: Actor, request = requestOf()): Promise<Claim> {
    const result = await claim(db, actor, request)
    assert.equal(result.kind, 'claimed')
    return (result as { claim: Claim }).claim
  },
  kindOf: async (actor: Actor, request = requestOf()) => (await claim(db, actor, request)).kind,
  answer: (actor: Actor, held: Claim) => inTenant(db, actor, (tx) => storeAnswer(tx, held, created)),
})
