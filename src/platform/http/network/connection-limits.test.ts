import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { startTestApp, waitUntil } from '#testing'
import { createClientAddresses } from '../read-request.ts'
import { limitConnections } from './connection-limits.ts'

const app = await startTestApp({ RATE_LIMIT_FACTOR: '0.01' })
await app.app.listen({ host: '127.0.0.1', port: 0 })
const appPort = (app.app.server.address() as AddressInfo).port

const limits = { perNetwork: 3, perPrefix: 5 }

async function startServer(trustedProxies: string): Promise<number> {
  const server = createServer((_, response) => response.end())
  limitConnections(server, createClientAddresses(trustedProxies), limits)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return (server.address() as AddressInfo).port
}

async function openSocket(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  after(() => socket.destroy())
  socket.on('error', () => {}).resume()
  await once(socket, 'connect')
  return socket
}

/** Returns whether the server answers on the connection. */
async function isServed(socket: Socket): Promise<boolean> {
  let isAnswered = false
  socket.once('data', () => {
    isAnswered = true
  })
  if (socket.writable) socket.write('GET / HTTP/1.1\r\nHost: acme.example\r\n\r\n')
  await waitUntil(() => isAnswered || socket.closed)
  return isAnswered
}

test('a network can open a limited number of connections, and a prefix some more', async () => {
  const port = await startServer('')
  const sockets = []
  for (const ip of ['127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'])
    sockets.push(await openSocket(port, ip))

  const served = await Promise.all(sockets.map(isServed))
  sockets[0]!.destroy()
  await waitUntil(async () => await isServed(await openSocket(port)))

  assert.deepEqual(served, [true, true, true, false, true, true, false])
})

test('the connections of trusted proxies are not limited', async () => {
  const port = await startServer('127.0.0.0/8')
  const sockets = await Promise.all(Array.from({ length: 8 }, () => openSocket(port)))

  const served = await Promise.all(sockets.map(isServed))

  assert.deepEqual(new Set(served), new Set([true]))
})

test('a connection without a request is closed soon after the timeout', async () => {
  app.app.server.headersTimeout = 100
  const silent = await openSocket(appPort)

  await waitUntil(() => silent.closed, 15)

  assert.equal(silent.closed, true)
})

test('the connection of a caller over its limit is closed', async () => {
  const send = () => fetch(`http://127.0.0.1:${appPort}/api/auth/me`)

  const responses = [await send(), await send(), await send()]

  assert.deepEqual(
    responses.map(({ status, headers }) => [status, headers.get('connection')]),
    [
      [404, 'keep-alive'],
      [404, 'keep-alive'],
      [429, 'close'],
    ],
  )
})
