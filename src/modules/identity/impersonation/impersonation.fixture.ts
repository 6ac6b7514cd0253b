import assert from 'node:assert/strict'
import type { Person, startTestApp } from '#testing'

export type App = Awaited<ReturnType<typeof startTestApp>>
export type Tenant = Awaited<ReturnType<App['tenant']>>

export const reason = 'They called because a list stays empty.'

/** An admin who acts as somebody, with the token they got for it. */
export async function actAs(
  acme: Tenant,
  target: Pick<Person, 'userId'>,
  { admin = acme.admin, ...more }: { admin?: Pick<Person, 'post'>; duration_seconds?: number } = {},
) {
  const { status, body } = await admin.post(`/api/users/${target.userId}/impersonate`, { reason, ...more })
  assert.equal(status, 201, JSON.stringify(body))
  return { ...acme.bearer(`Bearer ${body.access_token}`), body, sessionId: body.session_id as string }
}
