import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { secondsLater } from '#platform/clock'
import { createdAtOf, newId } from '#platform/ids'
import { deriveDeliveryId } from '../webhook-deliveries/delivery-id.rules.ts'
import { maskUrl } from '../webhook-endpoints/webhook-endpoints.rules.ts'
import {
  applyAttempts,
  type EndpointHealth,
  firstConcurrency,
  isDisablingDue,
  isWarningDue,
  maxAttempts,
  nextAttemptAt,
  nextConcurrency,
  nextDispatchAt,
  parseRetryAfter,
} from './delivery.rules.ts'
import { signRequest } from './signature.rules.ts'

const now = new Date('2026-03-01T09:30:00.000Z')
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const middle = () => 0.5
const secondsAfter = (later: Date | null) => later && (later.getTime() - now.getTime()) / 1_000

test('the signature equals the test vector of Standard Webhooks and that of its library', () => {
  const content = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }

  const signature = signRequest([secret], content)

  assert.equal(signature, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
  const { sign } = {
    sign: (key: string) => new Webhook(key).sign(content.id, new Date(1_614_265_330_000), content.body),
  }
  assert.equal(signRequest([secret, other], content), `${sign(secret)} ${sign(other)}`)
})

test('ten attempts are made within 75 hours and 35 minutes, each up to 10 % earlier or later', () => {
  const delays = Array.from({ length: maxAttempts - 1 }, (_, index) =>
    secondsAfter(nextAttemptAt(index + 1, { now, random: middle })),
  )

  const [minute, hour] = [60, 3_600]
  const hours = [2, 5, 10, 14, 20, 24].map((count) => count * hour)
  assert.deepEqual(delays, [5, 5 * minute, 30 * minute, ...hours])
  assert.equal(Math.floor(delays.reduce((sum, delay) => sum! + delay!, 0)! / minute), 75 * 60 + 35)
  assert.equal(nextAttemptAt(maxAttempts, { now, random: middle }), null)
  assert.equal(secondsAfter(nextAttemptAt(2, { now, random: () => 0 })), 270)
  assert.equal(secondsAfter(nextAttemptAt(2, { now, random: () => 1 })), 330)
})

test('Retry-After delays the next attempt by up to 24 hours, in seconds or as a date', () => {
  assert.equal(parseRetryAfter('120', now), 120)
  assert.equal(parseRetryAfter('Sun, 01 Mar 2026 09:31:30 GMT', now), 90)
  assert.equal(parseRetryAfter('Sun, 01 Mar 2026 09:00:00 GMT', now), 0)
  assert.equal(parseRetryAfter('999999999', now), 86_400)
  assert.equal(parseRetryAfter('Fri, 01 Jan 2027 00:00:00 GMT', now), 86_400)
  assert.deepEqual([parseRetryAfter('soon', now), parseRetryAfter(undefined, now)], [null, null])
  assert.equal(secondsAfter(nextAttemptAt(1, { now, random: middle, retryAfterSeconds: 600 })), 600)
  assert.equal(secondsAfter(nextAttemptAt(3, { now, random: middle, retryAfterSeconds: 600 })), 1_800)
})

test('fast responses allow up to five requests at the same time, and a slow success only one', () => {
  const numbers = [firstConcurrency]
  for (const duration of [40, 40, 40, 4_999, 5_000, 40]) numbers.push(nextConcurrency(numbers.at(-1)!, duration))

  assert.deepEqual(numbers, [1, 2, 4, 5, 5, 1, 2])
})

const healthy: EndpointHealth = {
  breaker: 'closed',
  probes: 0,
  next_probe_at: null,
  consecutive_failures: 0,
  first_failure_at: null,
  last_success_at: null,
  warned_at: null,
}
const failed = (ended_at = now) => ({ isSuccess: false, ended_at })
const failures = (count: number) => Array.from({ length: count }, () => failed())

test('the tenth failure in a row opens the breaker, and probes follow after 1, 2, 4, … 60 minutes', () => {
  const nine = applyAttempts(healthy, failures(9))
  let health = applyAttempts(nine, failures(1))
  const minutes: number[] = []
  for (let probe = 0; probe < 8; probe++) {
    minutes.push(secondsAfter(health.next_probe_at)! / 60)
    health = applyAttempts(health, failures(1))
  }

  assert.deepEqual([nine.breaker, nine.consecutive_failures, nine.first_failure_at], ['closed', 9, now])
  assert.deepEqual(minutes, [1, 2, 4, 8, 16, 32, 60, 60])
  const recovered = applyAttempts(health, [{ isSuccess: true, ended_at: now }])
  assert.deepEqual(recovered, { ...healthy, last_success_at: now })
  assert.equal(applyAttempts(nine, [{ isSuccess: true, ended_at: now }, failed()]).consecutive_failures, 1)
})

test('admins are warned after 24 hours without success, and the endpoint is disabled after five days', () => {
  const failing = applyAttempts(healthy, failures(10))
  const hours = (count: number) => secondsLater(now, count * 3_600)

  assert.deepEqual(
    [23, 24].map((count) => isWarningDue(failing, hours(count))),
    [false, true],
  )
  assert.equal(isWarningDue({ ...failing, warned_at: hours(24) }, hours(25)), false)
  assert.equal(isWarningDue(applyAttempts(healthy, failures(9)), hours(48)), false)
  assert.deepEqual(
    [119, 120].map((count) => isDisablingDue(failing, hours(count))),
    [false, true],
  )
})

test('the next dispatch waits for the probe of an open breaker', () => {
  const later = secondsLater(now, 60)

  assert.equal(nextDispatchAt({ next_probe_at: null }, now), now)
  assert.equal(nextDispatchAt({ next_probe_at: later }, now), later)
  assert.equal(nextDispatchAt({ next_probe_at: now }, later), later)
})

test('the id of a delivery is a UUID version 7 with the time of the event, different for every endpoint', () => {
  const [eventId, endpointId] = [newId(), newId()]

  const id = deriveDeliveryId(endpointId, eventId)

  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(createdAtOf(id), createdAtOf(eventId))
  assert.equal(deriveDeliveryId(endpointId, eventId), id)
  assert.notEqual(deriveDeliveryId(newId(), eventId), id)
})

test('tokens in the query and the path of a URL are masked', () => {
  assert.equal(maskUrl('https://hooks.example.com/in?token=hush'), 'https://hooks.example.com/in?…')
  assert.equal(maskUrl('https://hooks.example.com?token=hush'), 'https://hooks.example.com?…')
  assert.equal(maskUrl('https://hooks.example.com/in#hush?x'), 'https://hooks.example.com/in#…')
  assert.equal(
    maskUrl('https://hooks.example.com/services/T0123/B0123/aB3dE6gH9jK2mN5pQ8sT1vW4'),
    'https://hooks.example.com/services/T0123/B0123/…',
  )
  const readable = 'https://subdomain-0123456789.example.com/api/v2/lead-notifications-inbound'
  assert.equal(maskUrl(readable), readable)
})
