import assert from 'node:assert/strict'
import type { startTestApp, TestUser } from '#testing'

export type App = Awaited<ReturnType<typeof startTestApp>>
export type Tenant = Awaited<ReturnType<App['tenant']>>

export const reason = 'They called because a list stays empty.'

/** Starts an impersonation and returns a client with its token. */
export async function impersonate(
  acme: Tenant,
  target: Pick<TestUser, 'userId'>,
  { admin = acme.admin, ...more }: { admin?: Pick<TestUser, 'post'>; duration_seconds?: number } = {},
) {
  const { status, body } = await admin.post(`/api/users/${target.userId}/impersonate`, { reason, ...more })
  assert.equal(status, 201, JSON.stringify(body))
  return { ...acme.bearer(`Bearer ${body.access_token}`), body, sessionId: body.session_id as string }
}
