import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Forwards TCP connections to a server on this machine and can stop forwarding, with or without closing them. */
export async function startTcpProxy(targetUrl: string) {
  const { hostname, port } = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let [isSilent, isClosed] = [false, false]

  const server = createServer({ allowHalfOpen: true }, (client) => {
    track(client)
    if (isClosed) return void client.destroy()
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
    /** Closes all connections and refuses new ones, as a server that has stopped. */
    close(): void {
      isClosed = true
      for (const socket of sockets) socket.destroy()
    },
    /** Forwards new connections. Those that were silenced stay silent, as after a restart of a router. */
    restore(): void {
      isSilent = false
      isClosed = false
    },
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
