import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

/** A mail server on a free port that keeps what it gets. */
export async function startMailServer({ onMail }: { onMail?: (to: string, mail: ParsedMail) => void } = {}) {
  const received: { to: string; mail: ParsedMail }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    logger: false,
    async onData(stream, session, done) {
      const mail = await simpleParser(Buffer.concat(await stream.toArray()))
      for (const { address } of session.envelope.rcptTo) {
        received.push({ to: address, mail })
        onMail?.(address, mail)
      }
      done()
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')

  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    /** The mails to an address so far, waiting up to ten seconds for as many as are expected. */
    async mails(to: string, expected = 0): Promise<ParsedMail[]> {
      const found = () => received.filter((one) => one.to.toLowerCase() === to.toLowerCase()).map(({ mail }) => mail)
      for (let tries = 0; found().length < expected && tries < 200; tries++) await sleep(50)
      return found()
    },
    stop: () => new Promise<void>((stopped) => server.close(stopped)),
  }
}
