import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

type ReceivedRequest = {
  method: string
  url: string
  headers: Record<string, unknown>
  body: string
  bytes: Buffer
  servername: unknown
}

/** Starts a server on loopback and records the requests it receives. */
export async function startReceiver(
  respond: RequestListener = (_request, response) => response.end('ok'),
  { host = '127.0.0.1', port = 0, certificate }: { host?: string; port?: number; certificate?: Certificate } = {},
) {
  const received: ReceivedRequest[] = []
  const listener: RequestListener = async (request, response) => {
    const { method = '', url = '', headers, socket } = request
    const bytes = Buffer.concat(await request.toArray())
    const body = bytes.toString()
    received.push({ method, url, headers, body, bytes, servername: (socket as { servername?: unknown }).servername })
    respond(request, response)
  }
  const server = certificate ? createTlsServer(certificate, listener) : createServer(listener)
  return { received, ...(await startListening(server, host, port)) }
}

export async function startListening(server: Server, host = '127.0.0.1', port = 0) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  const isListening = once(server, 'listening')
  server.listen(port, host)
  await isListening
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { port: (server.address() as AddressInfo).port, openConnections: () => sockets.size }
}

export type Certificate = { key: string; cert: string }

export function createSelfSignedCertificate(name: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const certificate = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  rmSync(folder, { recursive: true })
  return certificate
}
