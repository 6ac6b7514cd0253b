import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Config } from '#platform/config'
import { type ErrorCatalogue, notFound } from '#platform/errors'
import { renderMarkdown } from '#platform/markdown'
import { strict } from '#platform/schema'
import type { ApiTexts } from '../openapi/openapi.ts'
import { webhookTag } from '../openapi/webhooks.ts'
import type { RouteConfig } from '../route-config.ts'
import { cacheFile, immutableCache, sendStaticFile, shortCache } from '../static-file.ts'
import { once } from '../validation/validation.ts'
import { createOpenApiFiles } from './openapi-files.ts'
import { errorPage, indexPage, plainPolicy, referencePolicy, tagPage, webhooksPage } from './reference-pages.ts'
import { loadScalarScript } from './scalar-script.ts'

const config: RouteConfig = { public: true, anyHost: true, tag: 'reference' }

const html = 'text/html; charset=utf-8'
const text = (mediaType: string, description: string) => ({
  description,
  content: { [mediaType]: { schema: Type.String() } },
})

type ReferenceServices = { errors: ErrorCatalogue; apiTexts: ApiTexts; config: Pick<Config, 'APP_SCHEME'> }

const TagParams = strict({
  tag: Type.String({ pattern: '^[a-z_]{1,40}$', maxLength: 40, description: 'Name of a tag.', examples: ['leads'] }),
})

/** Host of the workspace in the examples of the introduction. */
const exampleOrigin = 'https://acme.example.com'

/** Makes the first calls work when they are pasted: they use the host that served the page. */
const withOwnHost = (text: string, scheme: string, host = '') =>
  /^[\w.-]{1,253}(:\d{1,5})?$/.test(host) ? text.replaceAll(exampleOrigin, `${scheme}://${host}`) : text

export function registerReferenceRoutes(
  app: FastifyInstance,
  { errors, apiTexts, config: { APP_SCHEME } }: ReferenceServices,
): void {
  const openApi = createOpenApiFiles(app)
  const introductionHtml = once(() => renderMarkdown(apiTexts.introduction, { key: 'reference', maxLength: 1_000_000 }))
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
    handler: async (request, reply) => sendStaticFile(request, reply, await openApi.whole(), shortCache),
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
    handler: async (request, reply) => {
      const introduction = withOwnHost(await introductionHtml(), APP_SCHEME, request.headers.host)
      reply.headers({ 'content-security-policy': plainPolicy, 'cache-control': shortCache })
      return reply.type(html).send(indexPage(await openApi.document(), introduction))
    },
  })

  app.route<{ Params: { tag: string } }>({
    method: 'GET',
    url: '/reference/tags/:tag',
    config,
    schema: {
      operationId: 'getReferenceOfTag',
      summary: 'Get the reference of one resource',
      description:
        'The page of the tag `events` lists the webhook events, which are described on the pages of their resources.',
      params: TagParams,
      response: { 200: text('text/html', 'The page.') },
    },
    handler: async ({ params: { tag } }, reply) => {
      if (tag === webhookTag) {
        reply.headers({ 'content-security-policy': plainPolicy, 'cache-control': shortCache })
        return reply.type(html).send(webhooksPage(await openApi.document()))
      }
      await openApi.ofTag(tag)
      const { hash } = await scalarScript()
      reply.headers({ 'content-security-policy': referencePolicy, 'cache-control': shortCache })
      return reply.type(html).send(tagPage(tag, hash))
    },
  })

  app.route<{ Params: { tag: string } }>({
    method: 'GET',
    url: '/reference/tags/:tag/openapi.json',
    config,
    schema: {
      operationId: 'getOpenApiDocumentOfTag',
      summary: 'Get the OpenAPI document of one resource',
      params: TagParams,
      response: { 200: Type.Object({}, { additionalProperties: true }), 304: Type.Null() },
    },
    handler: async (request, reply) =>
      sendStaticFile(request, reply, await openApi.ofTag(request.params.tag), shortCache),
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
      reply.headers({ 'content-security-policy': plainPolicy, 'cache-control': shortCache })
      return reply.type(html).send(errorPage(params.code, error))
    },
  })
}
