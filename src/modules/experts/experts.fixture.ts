import assert from 'node:assert/strict'
import type { startTestApp, TestUser } from '#testing'

type TestApp = Awaited<ReturnType<typeof startTestApp>>
export type Acme = Awaited<ReturnType<TestApp['tenant']>>

export const expertsUrl = '/api/enablement/experts/'
export const requestsUrl = `${expertsUrl}requests/`

/** Adds a new user as an expert on pricing. */
export async function createExpert(acme: Acme, fields: object = {}) {
  const user = await acme.person('member')
  const input = { user_id: user.userId, topics: ['pricing'], ...fields }
  const { status, body, text } = await acme.manager.post(expertsUrl, input)
  assert.equal(status, 201, text)
  return { user, id: body.id as string, url: `${expertsUrl}${body.id}` }
}

export type TestRequest = {
  id: string
  url: string
  status: string
  expert: { id: string; name: string } | null
  due_at: string
  version: number
}

export async function createRequest(user: TestUser, fields: object = {}): Promise<TestRequest> {
  const input = { topic: 'pricing', subject: 'Discount', body: 'Which discount can we offer?', ...fields }
  const { status, body, text } = await user.post(requestsUrl, input)
  assert.equal(status, 201, text)
  return { ...body, url: `${requestsUrl}${body.id}` }
}

export const answer = (user: TestUser, { url }: { url: string }, text = 'Ten percent.') =>
  user.patch(url, { status: 'answered', answer: text })

/** Signs a user in again after the clock was moved. */
export const signInAgain = async (acme: Acme, user: Acme['member']): Promise<Acme['member']> => ({
  ...user,
  ...(await acme.signIn(user.userId)),
})
