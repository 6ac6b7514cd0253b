import type { Client } from 'openapi-fetch'
import { buildRequest, type CallOptions, keyHeader } from './build-request.ts'
import { noteLostRequest, noteResponse } from './connection.ts'
import { ApiProblem, toProblem } from './problem.ts'
import type { components, paths } from './schema.gen.d.ts'
import { readAccessToken, renewAccessToken } from './session.ts'

export type Schemas = components['schemas']

/** Sends the access token, and sends the request again if the token had expired. */
async function sendAuthorized(request: Request): Promise<Response> {
  const copy = request.clone()
  const response = await send(request, await readAccessToken())
  void noteResponse(copy, response)
  return response.status === 401 ? await send(copy, await renewAccessToken()) : response
}

async function send(request: Request, accessToken: string): Promise<Response> {
  request.headers.set('authorization', `Bearer ${accessToken}`)
  try {
    return await fetch(request)
  } catch (error) {
    if (request.signal.aborted) throw error
    noteLostRequest()
    throw new ApiProblem(0, {})
  }
}

/** Sends a request and reads the response, as `openapi-fetch` does, whose types check paths, parameters and bodies. */
async function call(method: string, path: string, options: CallOptions = {}) {
  const response = await sendAuthorized(buildRequest(location.origin, method, path, options))
  const data = parseJson(await response.text())
  return response.ok ? { data, response } : { error: data, response }
}

function parseJson(text: string): unknown {
  try {
    return text ? JSON.parse(text) : undefined
  } catch {
    return text
  }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const api = Object.fromEntries(
  methods.map((method) => [method, (path: string, options?: CallOptions) => call(method, path, options)]),
) as unknown as Pick<Client<paths>, (typeof methods)[number]>

type Call<T> = Promise<{ data?: T; error?: unknown; response: Response }>

/** Returns the body of a successful response and throws an ApiProblem otherwise. */
export async function read<T>(call: Call<T>): Promise<T> {
  const { data, error, response } = await call
  if (!response.ok) throw await toProblem(response, error)
  return data as T
}

/** The key of an intent, with which the user can send a request again whose response was lost. */
export const withKey = (key: string) => ({ [keyHeader]: key })

export const ifMatch = (version: number) => ({ 'If-Match': `"${version}"` })
