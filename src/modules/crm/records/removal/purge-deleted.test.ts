import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runScheduleNow } from '#platform/jobs'
import { startTestApp, waitUntil } from '#testing'

const { services, tenant, owner, startTestWorker } = await startTestApp({}, { isOwn: true })

test('a failing purge of one workspace does not stop that of the others and is retried', async () => {
  const workspaces = [await tenant(), await tenant(), await tenant()]
  for (const { id, member, sql } of workspaces) {
    await member.post('/api/leads/', { last_name: 'Moss' })
    await sql(`update crm.leads set deleted_at = now() - interval '31 days' where tenant_id = $1`, [id])
  }
  const [failing, ...others] = workspaces.toSorted((left, right) => (left.id < right.id ? -1 : 1))
  await owner.query(`create function public.reject() returns trigger language plpgsql as $$
    begin raise exception 'cannot delete'; end $$`)
  await owner.query(`create trigger reject before delete on crm.leads for each row
    when (old.tenant_id = '${failing!.id}') execute function public.reject()`)
  const countLeads = async (workspace: (typeof workspaces)[number]) =>
    (await workspace.sql('select from crm.leads where tenant_id = $1', [workspace.id])).rows.length
  await startTestWorker()

  await runScheduleNow(services.jobQueue, 'crm.purge_deleted')
  for (const workspace of others) await waitUntil(async () => (await countLeads(workspace)) === 0)
  const whileFailing = await countLeads(failing!)
  await owner.query('drop trigger reject on crm.leads')
  await waitUntil(async () => (await countLeads(failing!)) === 0)

  assert.equal(whileFailing, 1)
})
