import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

const messageNames: Record<string, string> = {
  B: 'Bind',
  C: 'Close',
  D: 'Describe',
  E: 'Execute',
  P: 'Parse',
  Q: 'Query',
  S: 'Sync',
  X: 'Terminate',
}

/** Forwards connections to PostgreSQL, records what the client sends, and can hold back the replies of the server. */
export async function startProtocolRecorder(targetUrl: string) {
  const { hostname, port } = new URL(targetUrl)
  const sockets = new Set<Socket>()
  const replies: (() => void)[] = []
  let messages: string[] = []
  let isHolding = false

  const server = createServer((client) => {
    const target = connect({ host: hostname, port: Number(port) })
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        target.destroy()
      })
    }
    const record = createMessageReader((message) => messages.push(message))
    client.on('data', (chunk) => {
      record(chunk)
      target.write(chunk)
    })
    target.on('data', (chunk) => {
      if (isHolding) replies.push(() => client.write(chunk))
      else client.write(chunk)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    urlOf(url: string): string {
      const proxied = new URL(url)
      proxied.port = String((server.address() as AddressInfo).port)
      return proxied.href
    },
    /** Returns the messages since the last call. */
    takeMessages(): string[] {
      const taken = messages
      messages = []
      return taken
    },
    countSyncs: () => messages.filter((message) => message === 'Sync').length,
    holdReplies(): void {
      isHolding = true
    },
    releaseReplies(): void {
      isHolding = false
      for (const reply of replies.splice(0)) reply()
    },
    disconnect(): void {
      isHolding = false
      replies.length = 0
      for (const socket of sockets) socket.destroy()
    },
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Splits a stream of bytes into messages. The first one has no type. */
function createMessageReader(onMessage: (message: string) => void) {
  let buffered = Buffer.alloc(0)
  let isStarted = false
  return (chunk: Buffer): void => {
    buffered = Buffer.concat([buffered, chunk])
    while (true) {
      const offset = isStarted ? 1 : 0
      if (buffered.length < offset + 4) return
      const end = offset + buffered.readInt32BE(offset)
      if (buffered.length < end) return
      if (isStarted) onMessage(describeMessage(String.fromCharCode(buffered[0]!), buffered.subarray(5, end)))
      isStarted = true
      buffered = buffered.subarray(end)
    }
  }
}

/** Adds the name of the statement, or the text of a simple query. */
function describeMessage(type: string, body: Buffer): string {
  const parts = body.toString('latin1').split('\0')
  const details: Record<string, string | undefined> = { B: parts[1], C: parts[0]?.slice(1), P: parts[0], Q: parts[0] }
  return `${messageNames[type] ?? type} ${details[type] ?? ''}`.trim()
}
