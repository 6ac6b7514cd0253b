import assert from 'node:assert/strict'
import { median } from '../measure.ts'
import { assigned, type Bench, countOf, followTask, rounds, secondsSince, taskOf } from './bulk-contacts.ts'

/** As many contacts as a task changes in one transaction. */
const batchSize = 50

/** Moves the contacts from one owner to the other and back. Returns how many times as long a task takes as bare updates. */
export async function measureAssignments(bench: Bench): Promise<number> {
  const ratios: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const [from, to] = round % 2 ? bench.owners : bench.owners.toReversed()
    // The bare updates move the contacts to the owner from whom the task takes them.
    const updated = await updateBare(bench, to!, from!)
    const start = performance.now()
    const { status, steps } = await followTask(bench, await startAssignment(bench, from!, to!))
    const seconds = secondsSince(start)
    assert.deepEqual([status.state, status.progress.done, status.result.succeeded], ['succeeded', assigned, assigned])
    assert.equal(await countOf(bench, to!), assigned)
    // The first round warms up.
    if (round > 0) ratios.push(seconds / updated)
    console.log(
      `  assigned ${assigned} contacts in ${seconds.toFixed(1)} s, ${Math.round(assigned / seconds)}/s, ${steps.length} steps of progress; ` +
        `bare updates ${updated.toFixed(2)} s, ratio ${(seconds / updated).toFixed(2)}`,
    )
  }
  return median(ratios)
}

async function startAssignment({ send }: Bench, from: string, to: string): Promise<string> {
  const body = { action: 'assign', query: { owner_id: from }, expected_count: assigned, params: { owner_id: to } }
  return taskOf(await send({ method: 'POST', path: '/api/contacts/bulk', body }))
}

/** Updates the rows in transactions of the same size, without audit entries, events and the values for an undo. */
async function updateBare({ bare, workspace: { tenantId } }: Bench, from: string, to: string): Promise<number> {
  const { rows } = await bare.query(
    'select id from crm.contacts where tenant_id = $1 and owner_id is not null order by id',
    [tenantId],
  )
  await bare.query('update crm.contacts set owner_id = $2 where tenant_id = $1 and owner_id = $3', [tenantId, from, to])
  const ids = rows.map(({ id }) => id as string)
  const start = performance.now()
  for (let at = 0; at < ids.length; at += batchSize)
    await bare.query(
      'update crm.contacts set owner_id = $2, updated_at = now() where tenant_id = $1 and id = any($3)',
      [tenantId, to, ids.slice(at, at + batchSize)],
    )
  return secondsSince(start)
}

/** Cancels an assignment after a third of the contacts, checks what has changed, and undoes it. */
export async function checkCancellation(bench: Bench): Promise<void> {
  const { send, bare, owners, workspace } = bench
  const [from, to] = (await countOf(bench, owners[0])) > 0 ? owners : (owners.toReversed() as Bench['owners'])
  const numbersBefore = await readNumbers(bench)
  const taskId = await startAssignment(bench, from, to)
  let cancelledAt: number | undefined
  const { status } = await followTask(bench, taskId, async (done) => {
    if (done < assigned / 3 || cancelledAt !== undefined) return
    cancelledAt = performance.now()
    await send({ method: 'POST', path: `/api/tasks/${taskId}/cancel` })
  })
  const { state, progress, result } = status
  const { done } = progress
  const numbers = await readNumbers(bench)
  const changes = await bare.query(
    'select count(*)::int as count from crm.bulk_changes where tenant_id = $1 and task_id = $2',
    [workspace.tenantId, taskId],
  )
  assert.equal(state, 'cancelled')
  assert.ok(done >= assigned / 3 && done < assigned, `${done} of ${assigned} contacts were changed.`)
  assert.deepEqual(
    {
      moved: await countOf(bench, to),
      left: await countOf(bench, from),
      succeeded: result.succeeded,
      versions: numbers.versions - numbersBefore.versions,
      entries: numbers.entries - numbersBefore.entries,
      changes: changes.rows[0].count,
    },
    { moved: done, left: assigned - done, succeeded: done, versions: done, entries: done, changes: done },
  )
  console.log(
    `  cancelled after ${done} of ${assigned} contacts, ${Math.round(performance.now() - cancelledAt!)} ms after the request; ` +
      'owners, versions, audit entries and values for the undo agree',
  )
  const undo = await send({ method: 'POST', path: `/api/contacts/bulk/${taskId}/undo`, body: {} })
  const undone = await followTask(bench, taskOf(undo))
  assert.deepEqual([undone.status.state, undone.status.result.restored], ['succeeded', done])
  assert.deepEqual([await countOf(bench, from), await countOf(bench, to)], [assigned, 0])
  console.log(`  undone: ${done} contacts have their former owner`)
}

/** Versions of all contacts, and audit entries about them. */
async function readNumbers({ bare, workspace }: Bench): Promise<{ versions: number; entries: number }> {
  const { rows } = await bare.query(
    `select (select sum(version)::int from crm.contacts where tenant_id = $1) as versions,
       (select count(*)::int from platform.audit_log where tenant_id = $1 and resource_type = 'contact') as entries`,
    [workspace.tenantId],
  )
  return rows[0]
}
