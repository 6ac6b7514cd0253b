import type { ServerResponse } from 'node:http'
import { startReceiver } from '../egress/receivers.stand-in.ts'

/** Handles one request to the model server. */
export type ProviderBehavior = (response: ServerResponse, protocol: 'openai' | 'anthropic') => void

type ReceivedModelRequest = {
  url: string
  headers: Record<string, unknown>
  body: Record<string, unknown>
  text: string
}

/** Starts a model server on loopback for both protocols. Each request uses the next behavior; the last one repeats. */
export async function startModelServer(...behaviors: [ProviderBehavior, ...ProviderBehavior[]]) {
  let requestCount = 0
  const { port, received } = await startReceiver(({ url }, response) => {
    const handle = behaviors[Math.min(requestCount++, behaviors.length - 1)]!
    handle(response, url?.endsWith('/messages') ? 'anthropic' : 'openai')
  })
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    received: (): ReceivedModelRequest[] =>
      received.map((request) => ({ ...request, body: JSON.parse(request.body), text: request.body })),
  }
}

type ResponseOptions = { inputTokens?: number; outputTokens?: number; stop?: 'stop' | 'length'; hasUsage?: boolean }

export const respondWith =
  (
    output: unknown,
    { inputTokens = 100, outputTokens = 20, stop = 'stop', hasUsage = true }: ResponseOptions = {},
  ): ProviderBehavior =>
  (response, protocol) => {
    const text = typeof output === 'string' ? output : JSON.stringify(output)
    const body =
      protocol === 'anthropic'
        ? {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            model: 'claude-sonnet-4-5',
            content: [{ type: 'text', text }],
            stop_reason: stop === 'stop' ? 'end_turn' : 'max_tokens',
            usage: { input_tokens: inputTokens, output_tokens: outputTokens },
          }
        : {
            id: 'chatcmpl-1',
            object: 'chat.completion',
            created: 1,
            model: 'test',
            choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: stop }],
            ...(hasUsage && {
              usage: {
                prompt_tokens: inputTokens,
                completion_tokens: outputTokens,
                total_tokens: inputTokens + outputTokens,
              },
            }),
          }
    sendJson(response, 200, body)
  }

/** Returns structured output as tool input, as older Anthropic models do. */
export const respondWithToolInput =
  (input: unknown): ProviderBehavior =>
  (response) =>
    sendJson(response, 200, {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-3-haiku',
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'json', input }],
      stop_reason: 'tool_use',
      usage: { input_tokens: 100, output_tokens: 20 },
    })

/** Calls a tool that was not offered. */
export const requestUnknownTool: ProviderBehavior = (response) => {
  const call = { id: 'call_1', type: 'function', function: { name: 'delete_leads', arguments: '{"all":true}' } }
  const message = { role: 'assistant', content: null, tool_calls: [call] }
  sendJson(response, 200, {
    id: '1',
    created: 1,
    model: 'test',
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
  })
}

/** Sends an error that quotes the Authorization header, as some providers do. */
export const respondWithError =
  (status: number, headers: Record<string, string> = {}): ProviderBehavior =>
  (response) =>
    sendJson(
      response,
      status,
      { error: { message: `No: ${response.req.headers.authorization}`, type: 'error' } },
      headers,
    )

export const redirectTo =
  (to: string): ProviderBehavior =>
  (response) =>
    response.writeHead(307, { location: to }).end()

export const neverRespond: ProviderBehavior = () => {}

export const resetConnection: ProviderBehavior = (response) => response.socket?.resetAndDestroy()

export const truncateResponse: ProviderBehavior = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
  response.write('{"choices":[{"message":{"content":"{', () => response.socket?.destroy())
}

export const respondWithHtml: ProviderBehavior = (response) => response.end('<html>Bad gateway</html>')

export const respondWithBytes =
  (bytes: number): ProviderBehavior =>
  (response, protocol) =>
    respondWith('x'.repeat(bytes))(response, protocol)

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
