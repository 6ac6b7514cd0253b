import { Agent, type IncomingMessage, request as openRequest } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { RawRequest } from './odd-requests.ts'

export type RawResponse = { status: number; headers: IncomingMessage['headers']; text: string }

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const timeoutMs = 20_000

/** Sends the request over TCP, so that the HTTP parser and the body limits of the server take part. */
export function sendRequest(origin: string, { method, url, headers, body }: RawRequest): Promise<RawResponse> {
  const { hostname, port } = new URL(origin)
  return new Promise((done, fail) => {
    const length = body && { 'content-length': String(body.length) }
    const request = openRequest({ agent, hostname, port, method, path: url, headers: { ...headers, ...length } })
    request.setTimeout(timeoutMs, () => request.destroy(new Error(`no response within ${timeoutMs / 1_000} seconds`)))
    request.once('error', fail)
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      const end = () => {
        const bytes = Buffer.concat(chunks)
        const isCompressed = response.headers['content-encoding'] === 'gzip' && bytes.length > 0
        const text = (isCompressed ? gunzipSync(bytes) : bytes).toString()
        done({ status: response.statusCode!, headers: response.headers, text })
      }
      const isStream = String(response.headers['content-type']).startsWith('text/event-stream')
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        // The stream of an open task does not end.
        if (isStream) response.destroy()
      })
      response.once('close', end)
      response.once('error', end)
    })
    request.end(body)
  })
}

/** Returns the request as a curl command. `$ADMIN` and so on stand for the credentials of the callers. */
export function formatCurl({ method, url, headers, body }: RawRequest, caller: string): string {
  const lines = Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => [name, value]))
  const flags = lines.map(([name, value]) =>
    name === 'authorization' && /^(Bearer ey|ApiKey svc_live_\w{20})/.test(value!)
      ? `-H "authorization: $${caller.toUpperCase()}"`
      : `-H ${quote(`${name}: ${value}`)}`,
  )
  const data = body ? [`--data-binary ${quote(body.toString('latin1'))}`] : []
  const text = ['curl', `-X ${method}`, ...flags, ...data, `"$ORIGIN"${quote(url)}`].join(' ')
  return text.length > maxLength ? `${text.slice(0, maxLength)}… (${text.length} characters)` : text
}

const maxLength = 2_000

/** Uses the quotes of bash that know escapes when the text has other than printable characters. */
function quote(text: string): string {
  if (/^[ -~]*$/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  const escaped = text.replace(/[^ -~]|['\\]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return `$'${escaped}'`
}
