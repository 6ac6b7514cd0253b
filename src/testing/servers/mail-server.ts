import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ParsedMail } from 'mailparser'
import { SMTPServer } from 'smtp-server'

/** Starts an SMTP server on a free port that stores the received emails. */
export async function startMailServer({ onMail }: { onMail?: (to: string, mail: ParsedMail) => void } = {}) {
  const received: { to: string; mail: ParsedMail }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    logger: false,
    async onData(stream, session, done) {
      const { simpleParser } = await import('mailparser')
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
    /** Returns the emails sent to an address; waits up to ten seconds for `expected` of them. */
    async mails(to: string, expected = 0): Promise<ParsedMail[]> {
      const findMails = () =>
        received.filter((one) => one.to.toLowerCase() === to.toLowerCase()).map(({ mail }) => mail)
      for (let tries = 0; findMails().length < expected && tries < 200; tries++) await sleep(50)
      return findMails()
    },
    stop: () => new Promise<void>((stopped) => server.close(stopped)),
  }
}
