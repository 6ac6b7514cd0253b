import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { type ErrorCatalogue, notFound } from '#platform/errors'
import { strict } from '#platform/schema'
import type { RouteConfig } from '../route-config.ts'
import { cacheFile, createStaticFile, immutableCache, sendStaticFile, shortCache } from '../static-file.ts'
import { errorPage, errorPolicy, referencePage, referencePolicy } from './reference-pages.ts'
import { loadScalarScript } from './scalar-script.ts'

const config: RouteConfig = { public: true, anyHost: true, tag: 'reference' }

const html = 'text/html; charset=utf-8'
const text = (mediaType: string, description: string) => ({
  description,
  content: { [mediaType]: { schema: Type.String() } },
})

export function registerReferenceRoutes(app: FastifyInstance, { errors }: { errors: ErrorCatalogue }): void {
  const openApiFile = cacheFile(() =>
    createStaticFile('application/json; charset=utf-8', JSON.stringify(app.swagger())),
  )
  const scalarScript = cacheFile(loadScalarScript)

  app.route({
    method: 'GET',
    url: '/api/openapi.json',
    config,
    schema: {
      operationId: 'getOpenApiDocument',
      summary: 'Get the OpenAPI document',
      response: { 200: Type.Object({}, { additionalProperties: true }), 304: Type.Null() },
    },
    handler: async (request, reply) => sendStaticFile(request, reply, await openApiFile(), shortCache),
  })

  app.route({
    method: 'GET',
    url: '/reference',
    config,
    schema: {
      operationId: 'getReference',
      summary: 'Get the API reference page',
      response: { 200: text('text/html', 'The page.') },
    },
    handler: async (_request, reply) => {
      const { hash } = await scalarScript()
      reply.headers({ 'content-security-policy': referencePolicy, 'cache-control': shortCache })
      return reply.type(html).send(referencePage(hash))
    },
  })

  app.route<{ Querystring: { v?: string } }>({
    method: 'GET',
    url: '/reference/scalar.js',
    config,
    schema: {
      operationId: 'getReferenceScript',
      summary: 'Get the API reference script',
      querystring: Type.Object({
        v: Type.Optional(
          Type.String({ maxLength: 64, description: 'Hash of the script; makes the response cacheable forever.' }),
        ),
      }),
      response: { 200: text('text/javascript', 'The script.'), 304: Type.Null() },
    },
    handler: async (request, reply) => {
      const script = await scalarScript()
      return sendStaticFile(request, reply, script, request.query.v === script.hash ? immutableCache : shortCache)
    },
  })

  app.route<{ Params: { code: string } }>({
    method: 'GET',
    url: '/reference/errors/:code',
    config,
    schema: {
      operationId: 'getErrorPage',
      summary: 'Get the page of an error code',
      description:
        'Explains the error and how to resolve it. The `type` of every problem response is the URL of such a page.',
      params: strict({ code: Type.String({ pattern: '^[a-z_]{1,64}$', examples: ['token_expired'] }) }),
      response: { 200: text('text/html', 'The page.') },
    },
    handler: async ({ params }, reply) => {
      const error = Object.hasOwn(errors, params.code) && errors[params.code]
      if (!error) throw notFound('error code')
      reply.headers({ 'content-security-policy': errorPolicy, 'cache-control': shortCache })
      return reply.type(html).send(errorPage(params.code, error))
    },
  })
}
