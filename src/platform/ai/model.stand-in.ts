import type { ServerResponse } from 'node:http'
import { receiver } from '../egress/receivers.stand-in.ts'

/** What a model's server does with one request. */
export type Behaviour = (response: ServerResponse, protocol: 'openai' | 'anthropic') => void

type Sent = { url: string; headers: Record<string, unknown>; body: Record<string, unknown>; text: string }

/** A server of models on loopback that speaks both protocols. It behaves as told, one way after the other; the last one stays. */
export async function modelServer(...behaviours: [Behaviour, ...Behaviour[]]) {
  let turn = 0
  const { port, received } = await receiver(({ url }, response) => {
    const behave = behaviours[Math.min(turn++, behaviours.length - 1)]!
    behave(response, url?.endsWith('/messages') ? 'anthropic' : 'openai')
  })
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    received: (): Sent[] => received.map((one) => ({ ...one, body: JSON.parse(one.body), text: one.body })),
  }
}

type Manner = { input?: number; output?: number; stop?: 'stop' | 'length'; hasUsage?: boolean }

/** The model says this. */
export const says =
  (said: unknown, { input = 100, output = 20, stop = 'stop', hasUsage = true }: Manner = {}): Behaviour =>
  (response, protocol) => {
    const text = typeof said === 'string' ? said : JSON.stringify(said)
    const answer =
      protocol === 'anthropic'
        ? {
            ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5' },
            content: [{ type: 'text', text }],
            stop_reason: stop === 'stop' ? 'end_turn' : 'max_tokens',
            usage: { input_tokens: input, output_tokens: output },
          }
        : {
            ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'test' },
            choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: stop }],
            ...(hasUsage && {
              usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
            }),
          }
    json(response, 200, answer)
  }

/** As older models of Anthropic do, who know no other way to keep to a form. */
export const fillsIn =
  (input: unknown): Behaviour =>
  (response) =>
    json(response, 200, {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-3-haiku' },
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'json', input }],
      stop_reason: 'tool_use',
      usage: { input_tokens: 100, output_tokens: 20 },
    })

/** The model wants a tool that nobody offered. */
export const callsTool: Behaviour = (response) => {
  const call = { id: 'call_1', type: 'function', function: { name: 'delete_leads', arguments: '{"all":true}' } }
  const message = { role: 'assistant', content: null, tool_calls: [call] }
  json(response, 200, {
    id: '1',
    created: 1,
    model: 'test',
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
  })
}

/** An error that quotes what was sent, as some providers do. */
export const refuses =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    json(response, status, { error: { message: `No: ${response.req.headers.authorization}`, type: 'error' } }, headers)

export const redirects =
  (to: string): Behaviour =>
  (response) =>
    response.writeHead(307, { location: to }).end()

export const staysSilent: Behaviour = () => {}

export const hangsUp: Behaviour = (response) => response.socket?.resetAndDestroy()

/** Begins well, and breaks off in the middle. */
export const breaksOff: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
  response.write('{"choices":[{"message":{"content":"{', () => response.socket?.destroy())
}

export const speaksNonsense: Behaviour = (response) => response.end('<html>Bad gateway</html>')

export const floods =
  (bytes: number): Behaviour =>
  (response, protocol) =>
    says('x'.repeat(bytes))(response, protocol)

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
