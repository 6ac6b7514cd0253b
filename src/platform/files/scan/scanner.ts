import { connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Config } from '#platform/config'

export type ScanResult = { isClean: true } | { isClean: false; signature: string }
export type FileScanner = { engine: 'clamd'; scan(content: Readable): Promise<ScanResult> }

const idleMs = 120_000
const maxReplyBytes = 4_096
const maxChunkBytes = 1_048_576

export function createFileScanner({ CLAMD_URL }: Pick<Config, 'CLAMD_URL'>): FileScanner | null {
  if (!CLAMD_URL) return null
  const target = parseUrl(CLAMD_URL)
  return { engine: 'clamd', scan: (content) => scan(connect(target), content) }
}

function parseUrl(url: string): { host: string; port: number } | { path: string } {
  const [, path] = /^unix:(\/.+)$/.exec(url) ?? []
  if (path) return { path }
  const [, host, port] = /^tcp:\/\/([\w.-]+|\[[0-9a-fA-F:]+\]):(\d{1,5})$/.exec(url) ?? []
  if (!host) throw new Error('CLAMD_URL must be tcp://host:port or unix:/path/to/socket')
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

/** Sends the content with the command INSTREAM of clamd: chunks with their length, and a chunk of length 0 at the end. */
async function scan(socket: Socket, content: Readable): Promise<ScanResult> {
  const reply = readReply(socket)
  // Without a handler, a connection that fails while content is read would crash the process.
  reply.catch(() => content.destroy())
  try {
    await write(socket, Buffer.from('zINSTREAM\0'))
    for await (const chunk of content as AsyncIterable<Buffer>)
      for (let start = 0; start < chunk.length; start += maxChunkBytes) {
        const part = chunk.subarray(start, start + maxChunkBytes)
        const length = Buffer.alloc(4)
        length.writeUInt32BE(part.length)
        await write(socket, Buffer.concat([length, part]))
      }
    await write(socket, Buffer.alloc(4))
    return parseReply(await reply)
  } catch (error) {
    // The reply, such as an exceeded size limit, or the error of the connection says more than the failed write.
    const early = await Promise.race([reply, new Promise<undefined>((resolve) => setImmediate(resolve, undefined))])
    throw early === undefined ? error : new Error(`clamd replied: ${early}`)
  } finally {
    socket.destroy()
  }
}

function parseReply(reply: string): ScanResult {
  if (reply === 'stream: OK') return { isClean: true }
  const [, signature] = /^stream: (.+) FOUND$/.exec(reply) ?? []
  if (!signature) throw new Error(`clamd replied: ${reply}`)
  return { isClean: false, signature: signature.slice(0, 200) }
}

function readReply(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = ''
    socket.setTimeout(idleMs, () => socket.destroy(new Error('clamd did not reply in time.')))
    socket.on('data', (chunk) => {
      reply += chunk.toString('utf8')
      if (reply.length > maxReplyBytes) socket.destroy(new Error('The reply of clamd is too long.'))
      else if (reply.includes('\0')) resolve(reply.slice(0, reply.indexOf('\0')).trim())
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('clamd closed the connection.')))
  })
}

const write = (socket: Socket, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
