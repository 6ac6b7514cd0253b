import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { invalid } from '#platform/errors'
import { strict } from '#platform/schema'
import { FilePartSchema, type Routes, receiveMultipart } from '../index.ts'

export const received: { bytes: number; error?: Error }[] = []

export const testRoutes = (): Routes => async (app) => {
  app.route({
    method: 'POST',
    url: '/api/teams/test-gzip',
    config: { scope: 'teams.write', body: 'gzip json', bodyLimit: 100_000 },
    schema: { hide: true, body: strict({ text: Type.String() }) },
    handler: async ({ body }) => ({ length: body.text.length }),
  })
  app.route({
    method: 'POST',
    url: '/api/teams/test-json-size',
    config: { scope: 'teams.write', jsonSize: { values: 60_000, keys: 10, depth: 3 } },
    schema: { hide: true, body: strict({ numbers: Type.Array(Type.Integer()) }) },
    handler: async ({ body }) => ({ length: body.numbers.length }),
  })
  app.route({
    method: 'POST',
    url: '/api/teams/test-form',
    config: { scope: 'teams.write', body: 'form', bodyLimit: 1_024 },
    schema: { hide: true, body: strict({ choice: Type.Enum(['all', 'none']) }) },
    handler: async ({ body }) => body,
  })
  app.route({
    method: 'POST',
    url: '/api/teams/test-long-form',
    config: { scope: 'teams.write', body: 'form', formFields: 1_000 },
    schema: { hide: true, body: Type.Record(Type.String(), Type.String()) },
    handler: async ({ body }) => ({ fields: Object.keys(body as object).length }),
  })
  app.route({
    method: 'POST',
    url: '/api/teams/test-upload',
    config: { scope: 'teams.write', body: 'multipart', bodyLimit: 1_048_576, bodySeconds: 2 },
    schema: {
      hide: true,
      body: strict({ title: Type.String({ minLength: 2 }), note: Type.Optional(Type.String()), file: FilePartSchema }),
    },
    async handler(request) {
      const { fields, file } = await receiveMultipart(request, async ({ filename, declaredType, content }) => {
        const entry: (typeof received)[number] = { bytes: 0 }
        received.push(entry)
        const hash = createHash('sha256')
        try {
          for await (const chunk of content) {
            entry.bytes += chunk.length
            if (filename === 'refused.bin') throw invalid('body', '/file', 'refused', 'The file is refused.')
            hash.update(chunk)
          }
        } catch (error) {
          entry.error = error as Error
          throw error
        }
        return { filename, declaredType, sha256: hash.digest('hex') }
      })
      return { fields, ...file }
    },
  })
  app.route({
    method: 'POST',
    url: '/api/teams/test-recording',
    config: { scope: 'teams.write', body: 'multipart', bodyLimit: 1_048_576 },
    schema: {
      hide: true,
      body: strict({
        sound: Type.Optional(FilePartSchema),
        seconds: Type.Optional(Type.Number({ minimum: 1 })),
        text: Type.Optional(Type.String({ maxLength: 100_000 })),
      }),
    },
    async handler(request) {
      const { fields, file } = await receiveMultipart(request, async ({ field, content }) => {
        const chunks = await content.toArray()
        return { field, bytes: Buffer.concat(chunks).length }
      })
      return { seconds: fields.seconds, length: String(fields.text ?? '').length, file: file ?? null }
    },
  })
  app.route({
    method: 'GET',
    url: '/api/teams/test-stream',
    config: { scope: 'teams.read', head: true },
    schema: { hide: true },
    handler: async ({ method }, reply) => {
      reply.header('content-length', 10).type('text/plain')
      return reply.send(method === 'HEAD' ? undefined : Readable.from([Buffer.from('0123456789')]))
    },
  })
}
