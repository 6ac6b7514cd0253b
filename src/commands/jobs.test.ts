import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { createOperator } from './operator.stand-in.ts'

const { config, tenant, owner } = await startTestApp()
const operator = createOperator(config)

/** Inserts a dead job as the queue does after the last failed attempt. */
const insertDeadJob = (tenantId: string) =>
  owner.query(
    `insert into pgboss.job_common (name, data, group_id, source_name, source_output, source_retry_count, source_created_on)
     values ('mail_dead', $2, $1, 'mail', '{"message": "The mail server said no."}', 4, now())`,
    [tenantId, { job: 'identity.send_invite', tenant_id: tenantId, payload: { user_id: tenantId } }],
  )

test('an operator lists dead jobs and retries them', async () => {
  const acme = await tenant()
  await insertDeadJob(acme.id)

  const seen = await operator.run('jobs', 'dead', 'mail')
  const others = await operator.run('jobs', 'redrive', 'mail', '--job', 'identity.send_security_notice', '--json')
  const redriven = await operator.run('jobs', 'redrive', 'mail', '--json')
  const afterwards = await operator.run('jobs', 'dead', 'mail')

  assert.match(seen.out, new RegExp(`identity.send_invite  tenant ${acme.id}  5 attempts  The mail server said no.`))
  assert.deepEqual([others.body, redriven.body], [{ redriven: 0 }, { redriven: 1 }])
  assert.equal(afterwards.out, 'The queue mail has no dead jobs.\n')
  assert.deepEqual(await acme.jobs(), ['identity.send_invite'])
  const { rows } = await owner.query(
    `select args from identity.operator_audit where command = 'jobs redrive' order by id`,
  )
  assert.deepEqual(
    rows.map(({ args }) => args.redriven),
    [0, 1],
  )
})

test('an unknown queue is a usage error', async () => {
  assert.equal((await operator.run('jobs', 'dead', 'letters')).exitCode, 2)
})

test('an operator deletes an event consumer that no process has registered for 30 minutes', async () => {
  await owner.query(
    `insert into platform.event_consumers (type, consumer, seen_at)
     values ('lead.created', 'test.removed', now() - interval '1 hour'), ('lead.created', 'test.running', now())`,
  )

  const listed = await operator.run('consumers', 'list')
  const removed = await operator.run('consumers', 'delete', 'test.removed', '--json')
  const running = await operator.run('consumers', 'delete', 'test.running')
  const unknown = await operator.run('consumers', 'delete', 'test.removed')

  assert.match(listed.out, /test\.removed {2}1 event types/)
  assert.deepEqual(removed.body, { deleted: 'test.removed' })
  assert.deepEqual([running.exitCode, unknown.exitCode], [4, 3])
  const { rows } = await owner.query(
    `delete from platform.event_consumers where consumer like 'test.r%' returning consumer`,
  )
  assert.deepEqual(rows, [{ consumer: 'test.running' }])
})
