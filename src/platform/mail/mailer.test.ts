import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import type { SMTPServerOptions } from 'smtp-server'
import { openMailer } from './index.ts'
import { brokenServer, MAIL_FROM, mailerTo, mailServer, refusalOf, welcome } from './mail-server.stand-in.ts'

test('a mail arrives with its names, texts, id and headers', async () => {
  const { mailer, received } = await mailServer()
  const unsubscribe = `<https://acme.tributary.example/u/${'t'.repeat(120)}>, <mailto:unsubscribe@tributary.example>`

  const { messageId } = await mailer.send({
    ...welcome,
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

test('a mail without an id gets one in the domain of the sender', async () => {
  const { mailer, received } = await mailServer()

  const { messageId } = await mailer.send(welcome)

  assert.match(messageId, /^<[^@\s]+@tributary\.example>$/)
  assert.equal(received[0]?.mail.messageId, messageId)
})

test('a hundred mails at once all arrive, each once', async () => {
  const { mailer, received } = await mailServer()

  await Promise.all(Array.from({ length: 100 }, (_, number) => mailer.send({ ...welcome, subject: `Mail ${number}` })))

  assert.equal(received.length, 100)
  assert.equal(new Set(received.map(({ mail }) => mail.subject)).size, 100)
})

const refusing = (code: number, text: string): SMTPServerOptions => ({
  onRcptTo: (_address, _session, done) => done(Object.assign(new Error(text), { responseCode: code })),
})

test('an address the server refuses with 5xx is refused for good', async () => {
  const { mailer } = await mailServer(refusing(550, '5.1.1 <ada@example.com> no such mailbox at mx.internal'))

  const refusal = await refusalOf(mailer.send(welcome))

  assert.equal(refusal.isPermanent, true)
  assert.equal(refusal.mayHaveArrived, false)
  assert.equal(refusal.smtpCode, 550)
  assert.equal(refusal.smtpStatus, '5.1.1')
  assert.equal(refusal.message, 'The mail server refused the mail for good (550 5.1.1).')
})

test('a mail the server puts off with 4xx can be tried again', async () => {
  const { mailer } = await mailServer(refusing(451, 'greylisted'))

  const refusal = await refusalOf(mailer.send(welcome))

  assert.equal(refusal.isPermanent, false)
  assert.equal(refusal.smtpCode, 451)
})

test('a mail that is refused after its content was read is refused for good, and the next one goes out', async () => {
  let isFirst = true
  const { mailer } = await mailServer({
    onData(stream, _session, done) {
      stream.resume().on('end', () => {
        done(isFirst ? Object.assign(new Error('5.7.1 looks like spam'), { responseCode: 554 }) : null)
        isFirst = false
      })
    },
  })

  const refusal = await refusalOf(mailer.send(welcome))

  assert.deepEqual([refusal.isPermanent, refusal.mayHaveArrived, refusal.smtpStatus], [true, false, '5.7.1'])
  await mailer.send(welcome)
})

test('a mail larger than the server takes is refused for good', async () => {
  const { mailer } = await mailServer({ size: 1_000 })

  const refusal = await refusalOf(mailer.send({ ...welcome, text: 'x'.repeat(5_000) }))

  assert.equal(refusal.isPermanent, true)
})

test('a wrong password is no fault of the mail: it waits', async () => {
  const { mailer } = await mailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(Object.assign(new Error('no'), { responseCode: 535 })),
  })

  for (const refusal of [await refusalOf(mailer.send(welcome)), await refusalOf(mailer.verify())]) {
    assert.equal(refusal.isPermanent, false)
    assert.match(refusal.message, /Check user name and password in SMTP_URL/)
    assert.doesNotMatch(refusal.message, /s3cret|127\.0\.0\.1/)
  }
})

test('the right user name and password open the door', async () => {
  const { mailer, received } = await mailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'ada' && password === 's3cret' ? done(null, { user: 'ada' }) : done(new Error('no')),
  })

  await mailer.verify()
  await mailer.send(welcome)

  assert.equal(received.length, 1)
})

test('a password is not sent in clear text to another machine', async () => {
  const passwords: unknown[] = []
  const { mailer } = await mailServer(
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

  const refusal = await refusalOf(mailer.send(welcome))

  assert.equal(refusal.isPermanent, false)
  assert.match(refusal.message, /ETLS/)
  assert.deepEqual(passwords, [])
})

test('a mail whose connection is lost before its content was sent can safely be tried again', async () => {
  const mailer = await brokenServer((line) => (line.startsWith('MAIL') ? null : '250 ok'))

  const refusal = await refusalOf(mailer.send(welcome))

  assert.equal(refusal.isPermanent, false)
  assert.equal(refusal.mayHaveArrived, false)
})

test('a mail whose connection is lost after its content was sent may have arrived, and is not sent again by itself', async () => {
  let contents = 0
  const mailer = await brokenServer((line) => {
    if (line.startsWith('DATA')) return '354 go on'
    if (!line.endsWith('\r\n.\r\n')) return /^(EHLO|MAIL|RCPT)/.test(line) ? '250 ok' : ''
    contents += 1
    return null
  })

  const refusal = await refusalOf(mailer.send(welcome))

  assert.equal(refusal.isPermanent, false)
  assert.equal(refusal.mayHaveArrived, true)
  assert.equal(contents, 1)
})

test('a server that is away is reported without its address, and the mail waits', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const mailer = mailerTo(server)
  await new Promise((closed) => server.close(closed))

  const refusal = await refusalOf(mailer.send(welcome))

  assert.deepEqual([refusal.isPermanent, refusal.mayHaveArrived], [false, false])
  assert.match(refusal.message, /ECONNREFUSED/)
  assert.doesNotMatch(refusal.message, /127\.0\.0\.1/)
})

test('a server that accepts the connection and then says nothing is given up after some seconds', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const started = performance.now()

  const refusal = await refusalOf(mailerTo(server).send(welcome))

  assert.equal(refusal.isPermanent, false)
  assert.ok(performance.now() - started < 8_000)
  server.close()
})

test('a pooled connection the server has closed in the meantime does not cost a mail', async () => {
  const { mailer, received } = await mailServer({ socketTimeout: 200 })
  await mailer.send(welcome)
  await new Promise((resolve) => setTimeout(resolve, 500))

  await mailer.send(welcome)

  assert.equal(received.length, 2)
})

test('closing waits for the mail under way', async () => {
  const { promise: isReceived, resolve: letThrough } = Promise.withResolvers<void>()
  const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>()
  const { mailer } = await mailServer({
    async onData(stream, _session, done) {
      await stream.resume().toArray()
      begin()
      await isReceived
      done()
    },
  })
  const sending = mailer.send(welcome)
  await hasBegun

  const closing = mailer.close()
  letThrough()
  await closing

  assert.match((await sending).messageId, /@/)
  assert.equal((await refusalOf(mailer.send(welcome))).isPermanent, false)
})

test('without a mail server mails wait, and bad ones are still refused for good', async () => {
  const mailer = openMailer({ MAIL_FROM })

  const refusal = await refusalOf(mailer.send(welcome))

  assert.equal(refusal.isPermanent, false)
  assert.match(refusal.message, /SMTP_URL is missing/)
  assert.equal((await refusalOf(mailer.send({ ...welcome, subject: 'a\nb' }))).isPermanent, true)
  assert.match((await refusalOf(mailer.verify())).message, /SMTP_URL is missing/)
  await mailer.close()
})

test('settings that cannot work are refused at start', () => {
  assert.throws(() => openMailer({ MAIL_FROM: 'Tributary' }), /MAIL_FROM must be/)
  assert.throws(() => openMailer({ MAIL_FROM, SMTP_URL: 'mail.example.com:25' }), /SMTP_URL must look like/)
  assert.throws(() => openMailer({ MAIL_FROM, SMTP_URL: 'https://mail.example.com' }), /SMTP_URL must look like/)
})
