import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Services } from '#platform/module'
import { startTestApp } from '#testing'
import { fileRoutes, purposes } from './file-routes.fixture.ts'

type Response = {
  status: number
  headers: IncomingMessage['headers']
  bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declaring their type
  body: any
}
type Sent = {
  filename?: string
  content: Buffer
  declaredType?: string
  purpose?: string
  headers?: Record<string, string>
}

/** Starts an application with file routes on a port of its own. */
export async function startFilesApp(
  environment: Record<string, string> = {},
  options: { port?: number; prepare?: (services: Services) => void } = {},
) {
  const test = await startTestApp(environment, {
    routes: fileRoutes,
    prepare(services) {
      services.registry.filePurposes.push(...purposes)
      options.prepare?.(services)
    },
  })
  const port = Number(new URL(await test.app.listen({ host: '127.0.0.1', port: options.port ?? 0 })).port)
  const acme = await test.tenant()
  const authorization = `Bearer ${acme.admin.accessToken}`

  async function call(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Buffer,
  ): Promise<Response> {
    const sent = send({
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: { host: acme.host, authorization, ...headers },
    })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const bytes = await buffer(response)
    const isJson = /json/.test(response.headers['content-type'] ?? '') && bytes.length > 0
    return {
      status: response.statusCode!,
      headers: response.headers,
      bytes,
      body: isJson ? JSON.parse(bytes.toString()) : undefined,
    }
  }

  const uploadPath = (purpose = 'test_content') => `/api/enablement/content/test/${purpose}/upload`
  function upload({ filename = 'a.pdf', content, declaredType = 'application/pdf', purpose, headers }: Sent) {
    const body = toMultipart(filename, content, declaredType)
    return call('POST', uploadPath(purpose), { ...headers, 'content-type': 'multipart/form-data; boundary=x' }, body)
  }
  const fileUrl = (id: string, query = '') => `/api/enablement/content/test/${id}/file${query}`
  const rows = async () =>
    (await test.owner.query('select id from platform.files order by id')).rows.map(({ id }) => id as string)
  async function storedKeys(): Promise<string[]> {
    const keys: string[] = []
    for await (const { key } of test.services.storage.list(`${acme.id}/`)) keys.push(key)
    return keys.sort()
  }
  return { ...test, port, acme, authorization, call, upload, uploadPath, fileUrl, rows, storedKeys }
}

export const partHead = (filename: string, declaredType: string) =>
  Buffer.from(
    `--x\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: ${declaredType}\r\n\r\n`,
  )
export const partEnd = Buffer.from('\r\n--x--\r\n')
const toMultipart = (filename: string, content: Buffer, declaredType: string) =>
  Buffer.concat([partHead(filename, declaredType), content, partEnd])
