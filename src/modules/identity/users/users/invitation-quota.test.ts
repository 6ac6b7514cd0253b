import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { invitationThrottle } from '../../credentials/throttles/throttles.rules.ts'

const app = await startTestApp()

type Tenant = Awaited<ReturnType<typeof app.tenant>>
const invite = ({ admin }: Tenant, name: string, fields: object = {}) =>
  admin.post('/api/users/', { email: `${name}@engines.example`, name, ...fields })

/** Sets the number of invitations that the workspace has sent today. */
const setSent = (acme: Tenant, count: number) =>
  acme.sql('update identity.auth_throttles set count = $2 where bucket = $1', [
    invitationThrottle(acme.id).bucket,
    count,
  ])

test('a workspace can send 500 invitations a day, by creating users, resending and correcting email addresses', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  const { body: ada } = await invite(acme, 'ada')
  await setSent(acme, 499)

  const last = await invite(acme, 'grace')
  const tooMany = [
    await invite(acme, 'joan'),
    await acme.admin.post(`/api/users/${ada.id}/resend-invite`),
    await acme.admin.patch(`/api/users/${ada.id}`, { email: 'ada.lovelace@engines.example' }),
  ]
  const withoutInvite = await invite(acme, 'edith', { send_invite: false })
  const elsewhere = await invite(beta, 'joan')
  const unchanged = await acme.admin.get(`/api/users/${ada.id}`)
  app.clock.advance(86_401)
  const tomorrow = await invite(
    { ...acme, admin: { ...acme.admin, ...(await acme.signIn(acme.admin.userId)) } },
    'joan',
  )

  assert.equal(last.status, 201)
  for (const { status, body, headers } of tooMany) {
    assert.deepEqual([status, body.code], [429, 'rate_limited'])
    assert.ok(Number(headers['retry-after']) > 60)
  }
  assert.deepEqual([withoutInvite.status, elsewhere.status, tomorrow.status], [201, 201, 201])
  assert.equal(unchanged.body.email, 'ada@engines.example')
})

test('requests that send no invitation do not use up the quota', async () => {
  const acme = await app.tenant()
  await invite(acme, 'ada')
  await setSent(acme, 499)

  const taken = await invite(acme, 'ada')
  const unknownTeam = await invite(acme, 'grace', { team_ids: ['019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12'] })
  const last = await invite(acme, 'grace')

  assert.deepEqual([taken.status, unknownTeam.status, last.status], [409, 422, 201])
})
