import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '#testing'
import { listen } from './listen.ts'

test('a listener survives an outage of the server, as one connection and no more', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-postgres-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const first = await startPostgres({ folder })
  const url = `${first.url}/postgres?application_name=listening`
  const listener = await listen(url)
  const heard: string[] = []
  await listener.on('news', (payload) => heard.push(payload))

  await first.stop()
  const wasHearing = listener.isHearing()
  await sleep(4_000)
  const second = await startPostgres({ folder, port: first.port })
  for (let tries = 0; !listener.isHearing() && tries < 100; tries++) await sleep(100)
  await sleep(1_500)
  const client = new pg.Client(`${second.url}/postgres`)
  await client.connect()
  await client.query(`notify news, 'back'`)
  const { rows } = await client.query(
    `select count(*)::int as connections from pg_stat_activity where application_name = 'listening'`,
  )
  for (let tries = 0; !heard.length && tries < 50; tries++) await sleep(20)
  await client.end()
  await listener.close()
  await second.stop()

  assert.equal(wasHearing, false)
  assert.deepEqual(rows, [{ connections: 1 }])
  assert.deepEqual(heard, ['back'])
})
