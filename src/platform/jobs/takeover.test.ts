import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newId } from '#platform/ids'
import { waitUntil } from '#testing'
import { enqueue } from './enqueue.ts'
import { freezeWorker, waitForever } from './frozen-worker.stand-in.ts'
import { finishBook, handlers, printBook } from './killed-worker.stand-in.ts'
import { startTestQueue } from './test-queue.fixture.ts'

const { database, owner, inTenant, listJobs, startWorker } = await startTestQueue()

test('the jobs of a killed worker are finished by another one within 30 seconds, with one effect', async () => {
  const acme = newId()
  await owner.query(`create table public.effects (
    tenant_id uuid default platform.current_tenant_id(), name text, by_worker int default pg_backend_pid(), primary key (tenant_id, name))`)
  await owner.query('grant select, insert on public.effects to app')
  const worker = fork(fileURLToPath(new URL('./killed-worker.stand-in.ts', import.meta.url)), [
    database.appUrl,
    database.systemUrl,
  ])
  const started = new Set<unknown>()
  worker.on('message', (job) => started.add(job))
  await inTenant(acme, (tx) => enqueue(tx, finishBook, {}))
  await inTenant(acme, (tx) => enqueue(tx, printBook, {}))
  await waitUntil(() => started.size === 2, 20)
  const { stop } = await startWorker(handlers(async () => {}))

  worker.kill('SIGKILL')
  await once(worker, 'exit')
  const killedAt = Date.now()
  await waitUntil(async () => (await listJobs()).every(({ state }) => state === 'completed'), 40)
  const seconds = (Date.now() - killedAt) / 1_000
  await stop()

  const effects = await owner.query('select tenant_id, name from public.effects order by name')
  assert.ok(seconds < 30, `taken over after ${seconds} seconds`)
  assert.deepEqual(effects.rows, [
    { tenant_id: acme, name: 'finished' },
    { tenant_id: acme, name: 'printed' },
  ])
  assert.ok((await listJobs()).every(({ retry_count }) => retry_count === 1))
})

test('a job that stops the event loop ends the worker with a log line, and is repeated at most twice', async () => {
  const [acme, globex] = [newId(), newId()]
  const program = fileURLToPath(new URL('./frozen-worker.stand-in.ts', import.meta.url))
  const worker = fork(program, [database.appUrl, database.systemUrl], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const ended = once(worker, 'exit')
  const output = worker.stdout!.toArray()
  await inTenant(globex, (tx) => enqueue(tx, waitForever, {}))
  await once(worker, 'message')

  await inTenant(acme, (tx) => enqueue(tx, freezeWorker, {}))
  const [, signal] = await ended
  const line = JSON.parse(Buffer.concat(await output).toString())
  const [waiting, frozen] = await listJobs(`data->>'job' in ('test.wait_forever', 'test.freeze_worker')`)
  await owner.query(
    `update pgboss.job_common set retry_count = 2, heartbeat_on = now() - interval '1 minute' where id = $1`,
    [frozen.id],
  )
  const { stop } = await startWorker([])
  await waitUntil(async () => (await listJobs(`name = 'bulk_dead' and group_id = '${acme}'`)).length === 1, 40)
  await stop()

  assert.equal(signal, 'SIGKILL')
  assert.partialDeepStrictEqual(line, { level: 'fatal', job: 'test.freeze_worker', tenant_id: acme, attempt: 1 })
  assert.match(line.stack[0], /jobs\/frozen-worker.stand-in.ts:\d+$/)
  assert.deepEqual([frozen.retry_limit, waiting.retry_limit], [2, 7])
})
