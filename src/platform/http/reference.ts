import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { catalogue, notFound } from '#platform/errors'
import { strict } from '#platform/schema'
import { type KeptFile, keepFile, sendFile } from './kept-file.ts'
import { errorPage, errorPolicy, referencePage, referencePolicy } from './reference-pages.ts'
import type { RouteConfig } from './route-config.ts'
import { loadScalar } from './scalar-script.ts'

const config: RouteConfig = { public: true, anyHost: true, tag: 'reference' }
const briefly = 'public, max-age=300'
const forever = 'public, max-age=31536000, immutable'

const html = 'text/html; charset=utf-8'
const text = (mediaType: string, description: string) => ({
  description,
  content: { [mediaType]: { schema: Type.String() } },
})

/** The machine description, and the pages made from it. They hold nothing of any workspace and answer on every host. */
export function serveReference(app: FastifyInstance): void {
  const document = once(() => keepFile('application/json; charset=utf-8', JSON.stringify(app.swagger())))
  const scalar = once(loadScalar)

  app.route({
    method: 'GET',
    url: '/api/openapi.json',
    config,
    schema: {
      operationId: 'readDescription',
      summary: 'This description, as OpenAPI 3.1',
      response: { 200: Type.Object({}, { additionalProperties: true }), 304: Type.Null() },
    },
    handler: async (request, reply) => sendFile(request, reply, await document(), briefly),
  })

  app.route({
    method: 'GET',
    url: '/reference',
    config,
    schema: {
      operationId: 'readReference',
      summary: 'The reference, for people',
      response: { 200: text('text/html', 'The page.') },
    },
    handler: async (_request, reply) => {
      const { hash } = await scalar()
      reply.headers({ 'content-security-policy': referencePolicy, 'cache-control': briefly })
      return reply.type(html).send(referencePage(hash))
    },
  })

  app.route<{ Querystring: { v?: string } }>({
    method: 'GET',
    url: '/reference/scalar.js',
    config,
    schema: {
      operationId: 'readReferenceScript',
      summary: 'The script that draws the reference',
      querystring: Type.Object({
        v: Type.Optional(
          Type.String({ maxLength: 64, description: 'The hash of the script: with it the answer never changes.' }),
        ),
      }),
      response: { 200: text('text/javascript', 'The script.'), 304: Type.Null() },
    },
    handler: async (request, reply) => {
      const script = await scalar()
      return sendFile(request, reply, script, request.query.v === script.hash ? forever : briefly)
    },
  })

  app.route<{ Params: { code: string } }>({
    method: 'GET',
    url: '/reference/errors/:code',
    config,
    schema: {
      operationId: 'explainError',
      summary: 'What an error code means, and what to do',
      params: strict({ code: Type.String({ pattern: '^[a-z_]{1,64}$', examples: ['token_expired'] }) }),
      response: { 200: text('text/html', 'The page. Every `type` of a problem leads to one.') },
    },
    handler: async ({ params }, reply) => {
      const explanation = Object.hasOwn(catalogue, params.code) && catalogue[params.code]
      if (!explanation) throw notFound('error code')
      reply.headers({ 'content-security-policy': errorPolicy, 'cache-control': briefly })
      return reply.type(html).send(errorPage(params.code, explanation))
    },
  })
}

/** Made when somebody first asks for it. A failure is not kept. */
function once(make: () => Promise<KeptFile>): () => Promise<KeptFile> {
  let made: Promise<KeptFile> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}
