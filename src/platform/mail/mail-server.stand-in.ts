import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { after } from 'node:test'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { type Mail, type Mailer, MailRefused, openMailer } from './index.ts'

export const MAIL_FROM = 'no-reply@tributary.example'
export const welcome: Mail = {
  to: { name: 'Ada Lovelace', address: 'ada@example.com' },
  subject: 'Welcome',
  text: 'Hello Ada',
}

const opened: (() => Promise<unknown>)[] = []
after(() => Promise.all(opened.map((close) => close())))

/** A mail server on a free port, and what it received. */
export async function mailServer(options: SMTPServerOptions = {}, host = '127.0.0.1') {
  const received: { mail: ParsedMail; to: string[] }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    logger: false,
    async onData(stream, session, done) {
      const raw = Buffer.concat(await stream.toArray())
      const to = session.envelope.rcptTo.map(({ address }) => address)
      if (stream.sizeExceeded) return done(Object.assign(new Error('too large'), { responseCode: 552 }))
      received.push({ mail: await simpleParser(raw), to })
      done()
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(0, host)
  await once(server.server, 'listening')
  opened.push(() => new Promise<void>((closed) => server.close(closed)))
  return { received, mailer: mailerTo(server.server, options.authOptional === false ? 'ada:s3cret@' : '') }
}

/** A mail server that speaks by hand, for what a proper one never does. */
export async function brokenServer(answer: (line: string) => string | null) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write('220 hello\r\n')
    socket.on('data', (chunk) => {
      const reply = answer(chunk.toString())
      if (reply === null) socket.destroy()
      else if (reply) socket.write(`${reply}\r\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(async () => server.close())
  return mailerTo(server)
}

export function mailerTo(server: Pick<Server, 'address'>, login = ''): Mailer {
  const { port, address } = server.address() as AddressInfo
  const mailer = openMailer({ SMTP_URL: `smtp://${login}${address}:${port}`, MAIL_FROM })
  opened.unshift(() => mailer.close())
  return mailer
}

export const refusalOf = (sending: Promise<unknown>): Promise<MailRefused> =>
  sending.then(
    () => assert.fail('The mail went out.'),
    (error) => {
      assert.ok(error instanceof MailRefused, `${error}`)
      return error
    },
  )
