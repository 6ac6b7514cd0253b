import assert from 'node:assert/strict'
import type { TestUser } from '#testing'
import type { Workspace } from '../web-pages.ts'

export const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()

export async function createTask(user: TestUser, lead: { id: string }, subject: string, due_at: string | null) {
  const task = { type: 'task', subject, due_at, assignee_id: user.userId }
  const { status, body } = await user.post(`/api/leads/${lead.id}/activities`, task)
  assert.equal(status, 201, JSON.stringify(body))
  return body as { id: string; due_at: string }
}

export const readTask = async (acme: Workspace, subject: string) =>
  (
    await acme.sql(
      'select id, due_at, completed_at, outcome from crm.activities where tenant_id = $1 and subject = $2',
      [acme.id, subject],
    )
  ).rows[0]
