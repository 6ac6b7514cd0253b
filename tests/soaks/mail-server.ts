import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** Accepts email, and keeps the recipient and subject of each email to the domain, and the recipients of the others. */
export async function startMailServer(domain: string) {
  const received: { address: string; subject: string }[] = []
  const others: string[] = []
  let held = Promise.withResolvers<void>()
  held.resolve()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    logger: false,
    async onData(stream, session, done) {
      const chunks = await stream.toArray().catch(() => undefined)
      if (!chunks) return
      const { address } = session.envelope.rcptTo[0]!
      if (address.endsWith(`@${domain}`)) {
        received.push({ address, subject: findSubject(Buffer.concat(chunks).toString()) })
        await held.promise
        await sleep(Math.random() * 10)
      } else others.push(address)
      done()
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    received,
    others,
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    /** Delays the responses to emails to the domain until `release`. */
    hold() {
      held = Promise.withResolvers<void>()
    },
    release: () => held.resolve(),
    stop: () => new Promise<void>((stopped) => server.close(stopped)),
  }
}

const findSubject = (message: string): string => /^Subject: (.*)$/m.exec(message)?.[1]?.trim() ?? ''
