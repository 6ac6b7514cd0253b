import assert from 'node:assert/strict'
import type { startTestApp, TestUser } from '#testing'

type Workspace = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

const url = '/api/enablement/content/'

export async function createItem(user: TestUser, fields: object = {}) {
  const { status, body } = await user.post(url, { title: 'Pricing guide', type: 'document', body: 'Prices', ...fields })
  assert.equal(status, 201)
  return body
}

export async function publishItem({ manager }: Workspace, id: string) {
  const { status, body } = await manager.patch(`${url}${id}`, { status: 'published' })
  assert.equal(status, 200)
  return body
}

export async function createPublishedItem(workspace: Workspace, fields: object = {}) {
  const { id } = await createItem(workspace.manager, fields)
  return await publishItem(workspace, id)
}
