import { setTimeout as sleep } from 'node:timers/promises'
import type { TestResponse } from '#testing'
import type { Edit } from './bulk-leads.ts'
import type { TestWorkspace } from './soak.ts'

const url = '/api/leads/'

const edits: [Edit, (acme: TestWorkspace, id: string) => Promise<TestResponse>][] = [
  ['deleted', ({ manager }, id) => manager.delete(`${url}${id}`)],
  ['converted', ({ manager }, id) => manager.post(`${url}${id}/convert`)],
  ['already updated', ({ manager }, id) => manager.patch(`${url}${id}`, { status: 'working' })],
  ['no longer matching', ({ manager }, id) => manager.patch(`${url}${id}`, { source: 'others' })],
]

export type ConcurrentEdits = {
  editByLead: Map<string, Edit>
  /** Number of 503 responses, each of which was retried. */
  retries: number
}

/** Edits some of the leads that a task updates, one by one and concurrently with it, until it ends. */
export async function editConcurrently(
  acme: TestWorkspace,
  task: { hasEnded(): boolean },
  maxLeads: number,
): Promise<ConcurrentEdits> {
  const { rows } = await acme.sql(
    `select id from crm.leads where tenant_id = $1 and source = 'matching' order by random() limit $2`,
    [acme.id, Math.ceil(maxLeads)],
  )
  const result: ConcurrentEdits = { editByLead: new Map(), retries: 0 }
  const editLeads = async ([edit, apply]: (typeof edits)[number], ids: string[]) => {
    for (const id of ids) {
      const isDone = await retryUntilAccepted(task, result, () => apply(acme, id))
      if (!isDone) return
      result.editByLead.set(id, edit)
      await sleep(Math.random() * 80)
    }
  }
  const share = Math.ceil(rows.length / edits.length)
  const ids = rows.map(({ id }) => id as string)
  await Promise.all(edits.map((edit, index) => editLeads(edit, ids.slice(index * share, (index + 1) * share))))
  return result
}

/** Returns false if the task ended first. */
async function retryUntilAccepted(
  task: { hasEnded(): boolean },
  result: ConcurrentEdits,
  apply: () => Promise<TestResponse>,
): Promise<boolean> {
  while (!task.hasEnded()) {
    const { status, text } = await apply()
    if (status < 300) return true
    if (status !== 503) throw new Error(text)
    result.retries++
  }
  return false
}
