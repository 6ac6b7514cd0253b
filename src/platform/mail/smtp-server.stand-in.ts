import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { after } from 'node:test'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { waitUntil } from '../../testing/wait-until.ts'
import { type Mail, MailError, type Mailer, openMailer } from './index.ts'

export const MAIL_FROM = 'no-reply@tributary.example'
export const welcomeMail: Mail = {
  to: { name: 'Ada Lovelace', address: 'ada@example.com' },
  subject: 'Welcome',
  text: 'Hello Ada',
}

const cleanups: (() => Promise<unknown>)[] = []
after(() => Promise.all(cleanups.map((close) => close())))

/** Starts an SMTP server on a free port and records the mails it receives. */
export async function startSmtpServer(options: SMTPServerOptions = {}, host = '127.0.0.1') {
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
  cleanups.push(() => new Promise<void>((closed) => server.close(closed)))
  return {
    received,
    mailer: openMailerTo(server.server, options.authOptional === false ? 'ada:s3cret@' : ''),
    /** Closes the open connections and waits until both sides know it. */
    async closeConnections() {
      for (const connection of server.connections) connection.close()
      await waitUntil(() => server.connections.size === 0)
    },
  }
}

/** Starts a server that replies to each line as `replyTo` says, for behavior a correct SMTP server does not have. */
export async function startScriptedSmtpServer(replyTo: (line: string) => string | null) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write('220 hello\r\n')
    socket.on('data', (chunk) => {
      const reply = replyTo(chunk.toString())
      if (reply === null) socket.destroy()
      else if (reply) socket.write(`${reply}\r\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(async () => server.close())
  return openMailerTo(server)
}

export function openMailerTo(server: Pick<Server, 'address'>, login = ''): Mailer {
  const { port, address } = server.address() as AddressInfo
  const mailer = openMailer({ SMTP_URL: `smtp://${login}${address}:${port}`, MAIL_FROM })
  cleanups.unshift(() => mailer.close())
  return mailer
}

export const mailErrorOf = (sending: Promise<unknown>): Promise<MailError> =>
  sending.then(
    () => assert.fail('The mail was sent.'),
    (error) => {
      assert.ok(error instanceof MailError, `${error}`)
      return error
    },
  )
