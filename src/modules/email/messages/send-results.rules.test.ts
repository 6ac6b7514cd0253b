import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsLater } from '#platform/clock'
import { completeContent, maskEmailAddress } from './email-content.rules.ts'
import { claimSeconds, nextDispatchAt, postponeUntil, retryLater, toFailedResult } from './send-results.rules.ts'

const now = new Date('2026-05-04T10:00:00Z')
const later = (seconds: number) => secondsLater(now, seconds)
const failure = {
  message: 'no',
  isPermanent: false,
  mayHaveArrived: false,
  isServerUnavailable: false,
  smtpStatus: null,
}

test('a message is sent again only if it cannot have arrived', () => {
  const stateOf = (changes: Partial<typeof failure> | undefined, attempts = 0) =>
    toFailedResult(changes && { ...failure, ...changes }, attempts, now).state

  assert.equal(stateOf(undefined), 'uncertain')
  assert.equal(stateOf({ mayHaveArrived: true }), 'uncertain')
  assert.equal(stateOf({ isPermanent: true }), 'failed')
  assert.equal(stateOf({}), 'waiting')
  assert.equal(stateOf({}, 5), 'failed')
  assert.deepEqual(toFailedResult({ ...failure, isServerUnavailable: true }, 4, now), {
    state: 'waiting',
    last_error: 'no',
  })
})

test('the delays between attempts grow', () => {
  const delays = [0, 1, 2, 3, 4].map((attempts) => {
    const retry = retryLater(attempts, now, 'busy')
    return retry.state === 'waiting' ? (retry.run_at.getTime() - now.getTime()) / 60_000 : null
  })

  assert.deepEqual(delays, [1, 5, 15, 60, 240])
})

test('a postponed message waits at least a minute', () => {
  assert.deepEqual(postponeUntil(later(3_600), now), { state: 'waiting', run_at: later(3_600) })
  assert.deepEqual(postponeUntil(later(-5), now), { state: 'waiting', run_at: later(60) })
})

test('the dispatcher runs again for the next message, the end of a claim, or messages of unknown kinds', () => {
  const none = { known_at: null, waiting_at: null, claimed_at: null }

  assert.equal(nextDispatchAt(none, now), undefined)
  assert.deepEqual(nextDispatchAt({ ...none, known_at: later(-5), waiting_at: later(-5) }, now), now)
  assert.deepEqual(nextDispatchAt({ ...none, known_at: later(90), waiting_at: later(90) }, now), later(90))
  assert.deepEqual(nextDispatchAt({ ...none, waiting_at: later(-5) }, now), later(60))
  assert.deepEqual(nextDispatchAt({ ...none, claimed_at: now }, now), later(claimSeconds + 1))
})

test('a link or postal address that the texts contain is not added again', () => {
  const url = 'https://acme.example/unsubscribe/x?a=1&b=2'
  const sender = { workspaceName: 'Acme', fromName: null, replyTo: null, postalAddress: 'Main St\nTown' }
  const html = '<p>Main St<br>Town <a href="https://acme.example/unsubscribe/x?a=1&amp;b=2">stop</a></p>'
  const complete = { subject: 'Hi', text: `Main St\nTown ${url}`, html }

  assert.deepEqual(completeContent(complete, sender, url), complete)
  const added = completeContent({ subject: ' Hi\r\nBcc: x ', text: 'Hello', html: '<p>Hello</p>' }, sender, url)
  assert.equal(added.subject, 'Hi Bcc: x')
  assert.equal(added.text, `Hello\n\n-- \nAcme\nMain St\nTown\nUnsubscribe: ${url}\n`)
  assert.match(added.html!, /^<p>Hello<\/p>\n<p style="[^"]+">Acme<br>Main St<br>Town<br><a href="[^"]+&amp;b=2">/)
  assert.equal(maskEmailAddress('jane@acme.com'), 'j***@acme.com')
})
