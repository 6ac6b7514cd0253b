import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newId } from '#platform/ids'
import { waitUntil } from '#testing'
import { enqueue } from './enqueue.ts'
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
