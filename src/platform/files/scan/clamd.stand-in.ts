import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { after } from 'node:test'

export const virus = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'

const command = 'zINSTREAM\0'

/** Speaks INSTREAM like clamd. `maxBytes` is its StreamMaxLength. */
export async function startClamd({ maxBytes = Number.POSITIVE_INFINITY } = {}) {
  const scanned: number[] = []
  const server = createServer((socket) => scanStream(socket, maxBytes, scanned))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const { port } = server.address() as { port: number }
  return { url: `tcp://127.0.0.1:${port}`, scanned, stop: () => server.close() }
}

function scanStream(socket: Socket, maxBytes: number, scanned: number[]): void {
  const received: Buffer[] = []
  let size = 0
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    received.push(chunk)
    size += chunk.length
    if (size > maxBytes) socket.end('INSTREAM size limit exceeded. ERROR\0')
    else if (chunk.subarray(-4).equals(Buffer.alloc(4))) finish()
  })

  function finish(): void {
    const content = decode(Buffer.concat(received))
    if (!content) return
    scanned.push(content.length)
    socket.end(content.includes(virus) ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
  }
}

/** Undefined while the last chunk, which has the length 0, is missing. */
function decode(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  if (bytes.toString('latin1', 0, command.length) !== command) return undefined
  for (let at = command.length; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return undefined
}
