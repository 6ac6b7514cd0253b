import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import type { SMTPServerOptions } from 'smtp-server'
import { openMailer } from './index.ts'
import {
  MAIL_FROM,
  mailErrorOf,
  openMailerTo,
  startScriptedSmtpServer,
  startSmtpServer,
  welcomeMail,
} from './smtp-server.stand-in.ts'

test('a mail arrives with its names, bodies, message id and headers', async () => {
  const { mailer, received } = await startSmtpServer()
  const unsubscribe = `<https://acme.tributary.example/u/${'t'.repeat(120)}>, <mailto:unsubscribe@tributary.example>`

  const { messageId } = await mailer.send({
    ...welcomeMail,
    to: { name: 'Åda "The, Countess" <x@evil.example>', address: 'ada@example.com' },
    subject: 'Grüße 🚀 from a rather long subject line that needs to be folded because it is far too long for one',
    html: '<p>Hello Ada</p>',
    fromName: 'Acme, Inc.',
    replyTo: { name: null, address: 'team@acme.example' },
    messageId: '<0198c0de.42@tributary.example>',
    headers: { 'List-Unsubscribe': unsubscribe, 'In-Reply-To': '<1@acme.example>' },
  })

  const [{ mail, to } = assert.fail('Nothing arrived.')] = received
  assert.deepEqual(to, ['ada@example.com'])
  assert.equal(messageId, '<0198c0de.42@tributary.example>')
  assert.equal(mail.messageId, messageId)
  assert.deepEqual(mail.from?.value, [{ name: 'Acme, Inc.', address: MAIL_FROM }])
  assert.deepEqual(mail.replyTo?.value, [{ name: '', address: 'team@acme.example' }])
  assert.ok(!Array.isArray(mail.to))
  assert.deepEqual(mail.to?.value, [{ name: 'Åda "The, Countess" <x@evil.example>', address: 'ada@example.com' }])
  assert.match(mail.subject ?? '', /^Grüße 🚀 from .* for one$/)
  assert.equal(mail.text?.trim(), 'Hello Ada')
  assert.equal(mail.html, '<p>Hello Ada</p>')
  assert.equal(mail.inReplyTo, '<1@acme.example>')
  const line = mail.headerLines.find(({ key }) => key === 'list-unsubscribe')?.line.replaceAll(/\r\n\s+/g, ' ')
  assert.equal(line, `List-Unsubscribe: ${unsubscribe}`)
})

test('a mail without a message id gets one in the domain of the sender', async () => {
  const { mailer, received } = await startSmtpServer()

  const { messageId } = await mailer.send(welcomeMail)

  assert.match(messageId, /^<[^@\s]+@tributary\.example>$/)
  assert.equal(received[0]?.mail.messageId, messageId)
})

test('a hundred concurrent mails each arrive once', async () => {
  const { mailer, received } = await startSmtpServer()

  await Promise.all(
    Array.from({ length: 100 }, (_, number) => mailer.send({ ...welcomeMail, subject: `Mail ${number}` })),
  )

  assert.equal(received.length, 100)
  assert.equal(new Set(received.map(({ mail }) => mail.subject)).size, 100)
})

const rejectingRecipients = (code: number, text: string): SMTPServerOptions => ({
  onRcptTo: (_address, _session, done) => done(Object.assign(new Error(text), { responseCode: code })),
})

test('an address rejected with 5xx is a permanent error', async () => {
  const { mailer } = await startSmtpServer(
    rejectingRecipients(550, '5.1.1 <ada@example.com> no such mailbox at mx.internal'),
  )

  const error = await mailErrorOf(mailer.send(welcomeMail))

  assert.equal(error.isPermanent, true)
  assert.equal(error.mayHaveArrived, false)
  assert.equal(error.smtpCode, 550)
  assert.equal(error.smtpStatus, '5.1.1')
  assert.equal(error.message, 'The mail server rejected the message permanently (550 5.1.1).')
})

test('a mail deferred with 4xx can be retried', async () => {
  const { mailer } = await startSmtpServer(rejectingRecipients(451, 'greylisted'))

  const error = await mailErrorOf(mailer.send(welcomeMail))

  assert.equal(error.isPermanent, false)
  assert.equal(error.smtpCode, 451)
})

test('a mail rejected after its body was read is a permanent error, and the next mail is sent', async () => {
  let isFirst = true
  const { mailer } = await startSmtpServer({
    onData(stream, _session, done) {
      stream.resume().on('end', () => {
        done(isFirst ? Object.assign(new Error('5.7.1 looks like spam'), { responseCode: 554 }) : null)
        isFirst = false
      })
    },
  })

  const error = await mailErrorOf(mailer.send(welcomeMail))

  assert.deepEqual([error.isPermanent, error.mayHaveArrived, error.smtpStatus], [true, false, '5.7.1'])
  await mailer.send(welcomeMail)
})

test('a mail larger than the server accepts is a permanent error', async () => {
  const { mailer } = await startSmtpServer({ size: 1_000 })

  const error = await mailErrorOf(mailer.send({ ...welcomeMail, text: 'x'.repeat(5_000) }))

  assert.equal(error.isPermanent, true)
})

test('a wrong password is a temporary error', async () => {
  const { mailer } = await startSmtpServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(Object.assign(new Error('no'), { responseCode: 535 })),
  })

  for (const error of [await mailErrorOf(mailer.send(welcomeMail)), await mailErrorOf(mailer.verify())]) {
    assert.equal(error.isPermanent, false)
    assert.match(error.message, /Check user name and password in SMTP_URL/)
    assert.doesNotMatch(error.message, /s3cret|127\.0\.0\.1/)
  }
})

test('the right user name and password are accepted', async () => {
  const { mailer, received } = await startSmtpServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'ada' && password === 's3cret' ? done(null, { user: 'ada' }) : done(new Error('no')),
  })

  await mailer.verify()
  await mailer.send(welcomeMail)

  assert.equal(received.length, 1)
})

test('a password is not sent in clear text to another machine', async () => {
  const passwords: unknown[] = []
  const { mailer } = await startSmtpServer(
    {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ password }, _session, done) {
        passwords.push(password)
        done(null, { user: 'ada' })
      },
    },
    '127.0.0.2',
  )

  const error = await mailErrorOf(mailer.send(welcomeMail))

  assert.equal(error.isPermanent, false)
  assert.match(error.message, /ETLS/)
  assert.deepEqual(passwords, [])
})

test('a mail whose connection is lost before the body was sent can be retried safely', async () => {
  const mailer = await startScriptedSmtpServer((line) => (line.startsWith('MAIL') ? null : '250 ok'))

  const error = await mailErrorOf(mailer.send(welcomeMail))

  assert.equal(error.isPermanent, false)
  assert.equal(error.mayHaveArrived, false)
})

test('a mail whose connection is lost after the body was sent may have arrived and is not resent', async () => {
  let contents = 0
  const mailer = await startScriptedSmtpServer((line) => {
    if (line.startsWith('DATA')) return '354 go on'
    if (!line.endsWith('\r\n.\r\n')) return /^(EHLO|MAIL|RCPT)/.test(line) ? '250 ok' : ''
    contents += 1
    return null
  })

  const error = await mailErrorOf(mailer.send(welcomeMail))

  assert.equal(error.isPermanent, false)
  assert.equal(error.mayHaveArrived, true)
  assert.equal(contents, 1)
})

test('an unreachable server is a temporary error that does not reveal its address', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const mailer = openMailerTo(server)
  await new Promise((closed) => server.close(closed))

  const error = await mailErrorOf(mailer.send(welcomeMail))

  assert.deepEqual([error.isPermanent, error.mayHaveArrived], [false, false])
  assert.match(error.message, /ECONNREFUSED/)
  assert.doesNotMatch(error.message, /127\.0\.0\.1/)
})

test('a server that accepts the connection but never replies times out', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const started = performance.now()

  const error = await mailErrorOf(openMailerTo(server).send(welcomeMail))

  assert.equal(error.isPermanent, false)
  assert.ok(performance.now() - started < 8_000)
  server.close()
})

test('a mail is sent although the server closed the pooled connection', async () => {
  const { mailer, received, closeConnections } = await startSmtpServer()
  await mailer.send(welcomeMail)
  await closeConnections()

  await mailer.send(welcomeMail)

  assert.equal(received.length, 2)
})

test('closing waits for mails in progress', async () => {
  const { promise: isReceived, resolve: letThrough } = Promise.withResolvers<void>()
  const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>()
  const { mailer } = await startSmtpServer({
    async onData(stream, _session, done) {
      await stream.resume().toArray()
      begin()
      await isReceived
      done()
    },
  })
  const sending = mailer.send(welcomeMail)
  await hasBegun

  const closing = mailer.close()
  letThrough()
  await closing

  assert.match((await sending).messageId, /@/)
  assert.equal((await mailErrorOf(mailer.send(welcomeMail))).isPermanent, false)
})

test('without SMTP_URL valid mails fail temporarily and invalid ones permanently', async () => {
  const mailer = openMailer({ MAIL_FROM })

  const error = await mailErrorOf(mailer.send(welcomeMail))

  assert.equal(error.isPermanent, false)
  assert.match(error.message, /SMTP_URL is missing/)
  assert.equal((await mailErrorOf(mailer.send({ ...welcomeMail, subject: 'a\nb' }))).isPermanent, true)
  assert.match((await mailErrorOf(mailer.verify())).message, /SMTP_URL is missing/)
  await mailer.close()
})

test('invalid settings are rejected at startup', () => {
  assert.throws(() => openMailer({ MAIL_FROM: 'Tributary' }), /MAIL_FROM must be/)
  assert.throws(() => openMailer({ MAIL_FROM, SMTP_URL: 'mail.example.com:25' }), /SMTP_URL must look like/)
  assert.throws(() => openMailer({ MAIL_FROM, SMTP_URL: 'https://mail.example.com' }), /SMTP_URL must look like/)
})
