import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { loadPublicAssets, publicAssetNames } from '#platform/html'
import { cacheFile, createStaticFile, immutableCache, sendStaticFile, shortCache } from '../static-file.ts'

/** During an upgrade, a page may ask a process of the other version, so an unknown hash gets the current file for a short time. */
export function registerAssetRoutes(app: FastifyInstance): void {
  for (const name of publicAssetNames) {
    const readFile = cacheFile(async () => {
      const { type, content } = loadPublicAssets().byName.get(name)!
      return await createStaticFile(type, content)
    })
    app.route<{ Querystring: { v?: string } }>({
      method: 'GET',
      url: `/assets/${name}`,
      config: { public: true, anyHost: true },
      schema: { hide: true, querystring: Type.Object({ v: Type.Optional(Type.String({ maxLength: 64 })) }) },
      handler: async (request, reply) => {
        const file = await readFile()
        return sendStaticFile(request, reply, file, request.query.v === file.hash ? immutableCache : shortCache)
      },
    })
  }
}
