import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Forwards TCP connections to a server on this machine and can stop forwarding without closing them. */
export async function startTcpProxy(targetUrl: string) {
  const { hostname, port } = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let isSilent = false

  const server = createServer({ allowHalfOpen: true }, (client) => {
    track(client)
    if (isSilent) return void client.resume()
    const target = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    track(target)
    client.pipe(target)
    target.pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  function track(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }

  return {
    urlOf(url: string): string {
      const proxied = new URL(url)
      proxied.port = String((server.address() as AddressInfo).port)
      return proxied.href
    },
    silence(): void {
      isSilent = true
      for (const socket of sockets) socket.unpipe().resume()
    },
    /** Forwards new connections. Those that were silenced stay silent, as after a restart of a router. */
    restore(): void {
      isSilent = false
    },
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
