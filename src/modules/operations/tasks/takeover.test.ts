import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { programPath, waitForValue } from '#testing'
import { countRowsByTimes } from './rows-task.stand-in.ts'
import { actorFor, startTasksApp } from './tasks.fixture.ts'

const { tenant, owner, database, startWorker, startRowsTask } = await startTasksApp()
const program = programPath('src/modules/operations/tasks/killable-worker.stand-in.ts')
const children = new Set<ChildProcess>()
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

async function startKillableWorker(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, database.appUrl, database.systemUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  await once(child.stdout!, 'data')
  return child
}

test('identity-8-2 another worker takes over the task of a killed worker within 90 seconds and processes no row twice', {
  timeout: 150_000,
}, async () => {
  const acme = await tenant()
  const worker = await startKillableWorker()
  const task = await startRowsTask(acme.id, actorFor(acme.id, acme.member), { rows: 500, batch_size: 5, pause_ms: 60 })
  const status = async () => (await acme.member.get(task.status_url)).body
  const seen: number[] = []
  const readStatus = async () => {
    const body = await status()
    seen.push(body.progress.done)
    return body
  }
  await waitForValue(readStatus, ({ progress }) => progress.done >= 50)

  worker.kill('SIGKILL')
  await once(worker, 'exit')
  const killedAt = Date.now()
  const doneBeforeKill = (await countRowsByTimes(owner, acme.id))[1]!
  await startWorker()
  await waitForValue(readStatus, ({ progress }) => progress.done > doneBeforeKill + 5, 90)
  const tookSeconds = (Date.now() - killedAt) / 1_000
  const ended = await waitForValue(readStatus, ({ state }) => state !== 'running' && state !== 'queued', 60)

  const { rows } = await owner.query('select attempt from platform.background_tasks where id = $1', [task.task_id])
  assert.ok(tookSeconds < 90, `it took ${tookSeconds} s`)
  assert.equal(ended.state, 'succeeded')
  assert.ok(doneBeforeKill < 500)
  assert.deepEqual(await countRowsByTimes(owner, acme.id), { 1: 500 })
  assert.deepEqual(
    seen,
    seen.toSorted((one, other) => one - other),
  )
  assert.equal(rows[0].attempt, 2)
  assert.deepEqual(await acme.events(), ['task.succeeded'])
})
