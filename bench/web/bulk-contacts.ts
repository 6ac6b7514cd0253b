import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { startNewWorkspace } from '../workspaces/new-workspace.ts'

export const assigned = Number(process.env.ASSIGNED ?? 12_480)
export const exported = Number(process.env.EXPORTED ?? 200_000)
export const rounds = Number(process.env.ROUNDS ?? 3)

type Workspace = Awaited<ReturnType<typeof startNewWorkspace>>
type TaskStatus = {
  state: string
  progress: { done: number; total: number }
  result: Record<string, number>
  error: unknown
}
export type Bench = {
  workspace: Workspace
  send: ReturnType<Workspace['createClient']>['send']
  /** A connection of a superuser to the same database. */
  bare: pg.Client
  owners: [first: string, second: string]
}

/** Inserts the contacts. Some of them belong to the first owner. */
export async function fillContacts(bare: pg.Client, tenantId: string, ownerId: string): Promise<void> {
  await bare.query(
    `insert into crm.contacts (tenant_id, id, first_name, last_name, name_key, email, title, country, source, search_text, tags, owner_id)
     select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Ann', 'Moss ' || n, 'ann moss ' || n,
       'ann' || n || '@initech' || n % 100 || '.example', 'Head of Sales', 'DE', 'import', ' ann moss ' || n, '{fair}',
       case when n <= $3::int then $4::uuid end
     from generate_series(1, $2::int) as n`,
    [tenantId, Math.max(exported, assigned), assigned, ownerId],
  )
  await bare.query('vacuum analyze crm.contacts')
}

export const secondsSince = (start: number): number => (performance.now() - start) / 1_000

export const taskOf = ({ body }: { body: object }): string => (body as { task_id: string }).task_id

export const countOf = async ({ bare, workspace }: Bench, ownerId: string): Promise<number> =>
  (
    await bare.query('select count(*)::int as count from crm.contacts where tenant_id = $1 and owner_id = $2', [
      workspace.tenantId,
      ownerId,
    ])
  ).rows[0].count

/** Reads the state of a task until it ends. Returns the numbers of done records that a user sees one after the other. */
export async function followTask({ send }: Bench, taskId: string, onProgress?: (done: number) => Promise<void>) {
  const steps: number[] = []
  for (;;) {
    const response = await send({ path: `/api/tasks/${taskId}/status` })
    const status = response.body as unknown as TaskStatus
    const { done } = status.progress
    assert.ok(done >= (steps.at(-1) ?? 0), 'The progress has decreased.')
    if (done !== steps.at(-1)) steps.push(done)
    if (!['queued', 'running'].includes(status.state)) return { status, steps }
    await onProgress?.(done)
    await sleep(100)
  }
}
