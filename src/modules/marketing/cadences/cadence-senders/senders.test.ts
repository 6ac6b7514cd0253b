import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const { tenant } = await startTestApp()

const url = '/api/cadences/sender-settings'

test('senders set their own absence, limit and signature', async () => {
  const acme = await tenant()
  const settings = {
    away_from: '2026-08-03',
    away_to: '2026-08-14',
    daily_limit: 50,
    signature: 'Ada\nAcme',
    others_may_enroll: true,
  }
  const empty = { away_from: null, away_to: null, daily_limit: null, signature: null, others_may_enroll: false }

  const before = await acme.member.get(url)
  const replaced = await acme.member.put(url, settings)
  const read = await acme.member.get(url)
  const ofOther = await acme.manager.get(url)
  const cleared = await acme.member.put(url, { signature: 'Ada' })

  assert.deepEqual([before.body, ofOther.body], [empty, empty])
  assert.deepEqual([replaced.body, read.body], [settings, settings])
  assert.deepEqual(cleared.body, { ...empty, signature: 'Ada' })
  assert.ok((await acme.audit()).includes('cadence.sender_updated'))
})

test('invalid sender settings are rejected', async () => {
  const acme = await tenant()
  const pathOf = async (settings: object) => {
    const { status, body } = await acme.member.put(url, settings)
    return [status, body.errors?.[0]?.path]
  }

  assert.deepEqual(await pathOf({ away_from: '2026-08-03' }), [422, '/away_to'])
  assert.deepEqual(await pathOf({ away_from: '2026-08-03', away_to: '2026-08-02' }), [422, '/away_to'])
  assert.deepEqual(await pathOf({ daily_limit: 201 }), [422, '/daily_limit'])
  assert.equal((await acme.viewer.put(url, {})).status, 403)
})
