import type { SwaggerTransform } from '@fastify/swagger'
import { baselineScope, meaningOf } from '#platform/access'
import { answeredOrRefused, refused } from './openapi-answers.ts'
import type { Schema } from './openapi-document.ts'
import type { RouteConfig } from './route-config.ts'

type Documented = { schema: Record<string, unknown>; url: string }
type Own = Record<string, unknown> & { description?: string; body?: unknown; response?: Record<string, Schema> }

/** Adds to a route's own schema what follows from its declaration: who may call it, and how it may refuse. */
export const documentRoute: SwaggerTransform = ({ schema, url, route }) => {
  const config = (route.config ?? {}) as RouteConfig
  const method = String([route.method].flat()[0])
  const own = (schema ?? {}) as Own
  const documented: Documented = {
    url,
    schema: {
      ...own,
      tags: [config.tag ?? baselineScope(method, url)?.split('.')[0] ?? 'auth'],
      description: [own.description, whoMay(config)].filter(Boolean).join('\n\n'),
      ...(config.public ? { security: [] } : config.humanOnly || config.signedIn ? { security: [{ bearer: [] }] } : {}),
      ...(config.scope && { 'x-required-scopes': [config.scope, ...(config.scopes ?? [])] }),
      response: answers(own.response, refusalsOf(config, method, url, own)),
    },
  }
  return documented as ReturnType<SwaggerTransform>
}

function whoMay({ public: isPublic, scope, scopes = [], roles, humanOnly, freshLogin }: RouteConfig): string {
  if (isPublic) return 'Needs no sign-in.'
  const needs = [scope, ...scopes].filter((one) => one !== undefined).map((one) => `\`${one}\` (${meaningOf(one)})`)
  return [
    needs.length ? `Needs ${needs.join(' and ')}.` : 'Needs a signed-in person.',
    roles && `Only for the role ${roles.join(' or ')}.`,
    humanOnly && 'Not with an API key.',
    freshLogin && 'Needs a sign-in of the last 15 minutes.',
  ]
    .filter(Boolean)
    .join(' ')
}

function refusalsOf(config: RouteConfig, method: string, url: string, own: Own): number[] {
  return [
    ...(config.public ? [] : [401, 403]),
    ...(!config.anyHost || url.includes(':') ? [404] : []),
    ...(method === 'GET' ? [] : [409]),
    ...(own.body === undefined ? [] : [413, 415]),
    ...[422, 429, 503],
  ]
}

function answers(own: Record<string, Schema> = {}, refusals: number[]): Record<string, object> {
  const all: Record<string, object> = { ...own }
  for (const [status, schema] of Object.entries(own)) {
    if (schema.title === 'Problem') all[status] = refused(Number(status))
  }
  for (const status of refusals) {
    const schema = own[status]
    const hasOwnAnswer = schema !== undefined && schema.title !== 'Problem'
    all[status] = hasOwnAnswer ? answeredOrRefused(status, schema) : refused(status)
  }
  return all
}
