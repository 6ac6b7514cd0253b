import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { operatorOf } from './operator.stand-in.ts'

const { config, tenant, owner } = await startTestApp()
const operator = operatorOf(config)

/** As the queue itself puts a job aside whose last attempt failed. */
const giveUp = (tenantId: string) =>
  owner.query(
    `insert into pgboss.job_common (name, data, group_id, source_name, source_output, source_retry_count, source_created_on)
     values ('mail_dead', $2, $1, 'mail', '{"message": "The mail server said no."}', 4, now())`,
    [tenantId, { job: 'identity.send_invite', tenant_id: tenantId, payload: { user_id: tenantId } }],
  )

test('an operator sees what was given up and lets it be tried again', async () => {
  const acme = await tenant()
  await giveUp(acme.id)

  const seen = await operator.types('jobs', 'dead', 'mail')
  const others = await operator.types('jobs', 'redrive', 'mail', '--job', 'identity.send_security_notice', '--json')
  const redriven = await operator.types('jobs', 'redrive', 'mail', '--json')
  const afterwards = await operator.types('jobs', 'dead', 'mail')

  assert.match(seen.out, new RegExp(`identity.send_invite  tenant ${acme.id}  5 attempts  The mail server said no.`))
  assert.deepEqual([others.body, redriven.body], [{ redriven: 0 }, { redriven: 1 }])
  assert.equal(afterwards.out, 'No job of mail was given up.\n')
  assert.deepEqual(await acme.jobs(), ['identity.send_invite'])
  const { rows } = await owner.query(
    `select args from identity.operator_audit where command = 'jobs redrive' order by id`,
  )
  assert.deepEqual(
    rows.map(({ args }) => args.redriven),
    [0, 1],
  )
})

test('a queue that is not there is a mistake at the keyboard', async () => {
  assert.equal((await operator.says('jobs', 'dead', 'letters')).exitCode, 2)
})
