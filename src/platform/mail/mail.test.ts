import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mail } from './index.ts'
import { mailErrorOf, startSmtpServer, welcomeMail } from './smtp-server.stand-in.ts'

test('header, recipient and SMTP command injection is rejected', async () => {
  const { mailer, received } = await startSmtpServer()
  const injections: Partial<Mail>[] = ['\r\n', '\n', '\r', '\u0000', '\u2028', '\u0085'].flatMap((end) => [
    { subject: `Hi${end}Bcc: eve@evil.example` },
    { fromName: `Acme${end}Bcc: eve@evil.example` },
    { to: { name: `Ada${end}Bcc: eve@evil.example`, address: 'ada@example.com' } },
    { to: { name: 'Ada', address: `ada@example.com${end}RCPT TO:<eve@evil.example>` } },
    { replyTo: { name: `x${end}Bcc: eve@evil.example`, address: 'ada@example.com' } },
    { replyTo: { name: null, address: `ada@example.com${end}` } },
    { messageId: `<1@example.com>${end}Bcc: eve@evil.example` },
    { headers: { 'X-Kind': `welcome${end}Bcc: eve@evil.example` } },
    { headers: { [`X-Kind: a${end}Bcc`]: 'eve@evil.example' } },
  ])

  for (const injection of injections) {
    const error = await mailErrorOf(mailer.send({ ...welcomeMail, ...injection }))
    assert.equal(error.isPermanent, true)
    assert.doesNotMatch(error.message, /example/)
  }
  assert.equal(received.length, 0)
})

test('the recipient must be exactly one plain email address', async () => {
  const { mailer, received } = await startSmtpServer()
  const addresses = [
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@@example.com',
    'ada@example.com, eve@evil.example',
    'ada@example.com;eve@evil.example',
    'Ada <ada@example.com>',
    '<ada@example.com>',
    '"ada lovelace"@example.com',
    '"a@evil.example> "@example.com',
    'a da@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..b@example.com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@.example.com',
    'ada@example..com',
    'ada@example.com.',
    'ada@[127.0.0.1]',
    'ada@exämple.com',
    'adä@example.com',
    'ada(x)@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'a.'.repeat(126)}com`,
    'ada@example.com>',
    'undisclosed:;',
  ]

  for (const address of addresses)
    assert.equal(
      (await mailErrorOf(mailer.send({ ...welcomeMail, to: { name: null, address } }))).isPermanent,
      true,
      address,
    )
  await mailer.send({ ...welcomeMail, to: { name: null, address: "o'neil+crm_{x}@mail.example.co.uk" } })

  assert.deepEqual(
    received.map(({ to }) => to),
    [["o'neil+crm_{x}@mail.example.co.uk"]],
  )
})

test('headers for sender, recipient and content cannot be set by the caller', async () => {
  const { mailer, received } = await startSmtpServer()

  for (const name of [
    'Bcc',
    'to',
    'FROM',
    'Sender',
    'Reply-To',
    'Content-Type',
    'Date',
    'Return-Path',
    'DKIM-Signature',
    '',
  ])
    assert.equal((await mailErrorOf(mailer.send({ ...welcomeMail, headers: { [name]: 'x' } }))).isPermanent, true, name)
  assert.equal(received.length, 0)
})
