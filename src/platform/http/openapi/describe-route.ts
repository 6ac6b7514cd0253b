import type { SwaggerTransform } from '@fastify/swagger'
import { baselineScope, describeScope } from '#platform/access'
import type { RouteConfig } from '../route-config.ts'
import type { SchemaObject } from './document.ts'
import { problemResponse, responseOrProblem } from './responses.ts'

type DescribedRoute = { schema: Record<string, unknown>; url: string }
type RouteSchema = Record<string, unknown> & {
  description?: string
  response?: Record<string, SchemaObject>
}

export const describeRoute: SwaggerTransform = ({ schema, url, route }) => {
  const config = (route.config ?? {}) as RouteConfig
  const method = String([route.method].flat()[0])
  const routeSchema = (schema ?? {}) as RouteSchema
  const described: DescribedRoute = {
    url,
    schema: {
      ...routeSchema,
      ...(config.body === 'multipart' && { consumes: ['multipart/form-data'] }),
      tags: [config.tag ?? baselineScope(method, url)?.split('.')[0] ?? 'auth'],
      description: [routeSchema.description, describeAccess(config)].filter(Boolean).join('\n\n'),
      ...(config.public ? { security: [] } : config.humanOnly || config.signedIn ? { security: [{ bearer: [] }] } : {}),
      ...(config.scope && { 'x-required-scopes': [config.scope, ...(config.scopes ?? [])] }),
      ...(config.roles && { 'x-required-roles': config.roles }),
      response: describeResponses(routeSchema.response, errorStatuses(config, method, url)),
    },
  }
  return described as ReturnType<SwaggerTransform>
}

function describeAccess({ public: isPublic, scope, scopes = [], roles, ...checks }: RouteConfig): string {
  if (isPublic) return 'Requires no authentication.'
  if (checks.anyCredential) return 'Accepts every access token and API key, whatever its scopes.'
  const required = [scope, ...scopes]
    .filter((name) => name !== undefined)
    .map((name) => `\`${name}\` (${describeScope(name)})`)
  return [
    required.length ? `Requires ${required.join(' and ')}.` : 'Requires a user session.',
    roles && `Requires the role ${roles.join(' or ')}.`,
    checks.humanOnly && 'API keys are not accepted.',
    checks.notWhileImpersonating && 'Not allowed while impersonating a user.',
    checks.freshLogin && 'Requires a sign-in within the last 15 minutes.',
  ]
    .filter(Boolean)
    .join(' ')
}

/** Includes 413 and 415 for operations without a body, because their bodies are read too. */
function errorStatuses(config: RouteConfig, method: string, url: string): number[] {
  return [
    ...(config.public ? [] : [401, 403]),
    ...(!config.anyHost || url.includes(':') ? [404] : []),
    ...(config.body === 'multipart' ? [408] : []),
    ...(method === 'GET' ? [] : [409, 413, 415]),
    422,
    ...(config.unlimited ? [] : [429]),
    503,
  ]
}

function describeResponses(declared: Record<string, SchemaObject> = {}, errors: number[]): Record<string, object> {
  const all: Record<string, object> = { ...declared }
  for (const [status, schema] of Object.entries(declared)) {
    if (schema.title === 'Problem') all[status] = problemResponse(Number(status))
  }
  for (const status of errors) {
    const schema = declared[status]
    const hasOwnSchema = schema !== undefined && schema.title !== 'Problem'
    all[status] = hasOwnSchema ? responseOrProblem(status, schema) : problemResponse(status)
  }
  return all
}
