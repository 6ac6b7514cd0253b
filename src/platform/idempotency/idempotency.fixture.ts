import assert from 'node:assert/strict'
import { type Actor, systemActor } from '#platform/access'
import { type Db, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { claimIdempotencyKey, hashRequest, type IdempotencyClaim, storeResponse } from './index.ts'

type KeyedRequest = Parameters<typeof claimIdempotencyKey>[2]

export const createUserActor = (tenantId = newId()): Actor => ({
  ...systemActor(tenantId),
  type: 'user',
  userId: newId(),
  sessionId: newId(),
})

export const createRequest = (body: unknown = { email: 'ada@example.com' }): KeyedRequest => ({
  route: 'POST /api/leads/',
  key: 'k-1',
  requestHash: hashRequest({ path: {}, query: {}, body }),
})

export const createdResponse = { status: 201, headers: { location: '/api/leads/1' }, body: '{"id":"1"}' }

export const atSecond = (seconds: number) => new Date(Date.parse('2026-03-01T09:00:00Z') + seconds * 1_000)

export const createClaimHelpers = (db: Db) => ({
  async mustClaim(actor: Actor, request = createRequest()): Promise<IdempotencyClaim> {
    const result = await claimIdempotencyKey(db, actor, request)
    assert.equal(result.kind, 'claimed')
    return (result as { claim: IdempotencyClaim }).claim
  },
  claimKind: async (actor: Actor, request = createRequest()) => (await claimIdempotencyKey(db, actor, request)).kind,
  respond: (actor: Actor, claim: IdempotencyClaim) =>
    inTenant(db, actor, (tx) => storeResponse(tx, claim, createdResponse)),
})
