import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { startTestApp, type TestUser } from '#testing'
import { partEnd, partHead } from '../../../platform/files/files.fixture.ts'

type Response = {
  status: number
  headers: IncomingMessage['headers']
  bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declaring their type
  body: any
}
type Sent = { filename?: string; content: Buffer; note?: string; headers?: Record<string, string> }
type Headers = Record<string, string>

export const contentUrl = '/api/enablement/content/'

/** Starts an application on a port of its own, because uploads and downloads are streams. */
export async function startContentApp(environment: Record<string, string> = {}) {
  const test = await startTestApp(environment)
  const port = Number(new URL(await test.app.listen({ host: '127.0.0.1', port: 0 })).port)
  const acme = await test.tenant()

  async function call(method: string, path: string, headers: Headers = {}, body?: Buffer): Promise<Response> {
    const sent = send({ port, host: '127.0.0.1', method, path, headers: { host: acme.host, ...headers } })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const bytes = await buffer(response)
    const isJson = /json/.test(response.headers['content-type'] ?? '') && bytes.length > 0
    const parsed = isJson ? JSON.parse(bytes.toString()) : undefined
    return { status: response.statusCode!, headers: response.headers, bytes, body: parsed }
  }
  const as = ({ accessToken }: TestUser, headers: Headers = {}) => ({
    authorization: `Bearer ${accessToken}`,
    ...headers,
  })
  const upload = (user: TestUser, itemId: string, { filename = 'a.pdf', content, note, headers }: Sent) => {
    const field = note ? `--x\r\nContent-Disposition: form-data; name="note"\r\n\r\n${note}\r\n` : ''
    const body = Buffer.concat([Buffer.from(field), partHead(filename, 'application/pdf'), content, partEnd])
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    return call('POST', `${contentUrl}${itemId}/upload`, as(user, { ...type, ...headers }), body)
  }
  const download = (user: TestUser, itemId: string, filename: string, headers?: Headers) =>
    call('GET', `${contentUrl}${itemId}/files/${filename}`, as(user, headers))
  async function storedKeys(): Promise<string[]> {
    const keys: string[] = []
    for await (const { key } of test.services.storage.list(`${acme.id}/`)) keys.push(key)
    return keys.sort()
  }
  return { ...test, port, acme, call, as, upload, download, storedKeys }
}
