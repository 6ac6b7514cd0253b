import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { routeNotFound } from '#platform/errors'
import { immutableCache, sendStaticFile } from '../static-file.ts'
import type { ApplicationFiles } from './application-files.ts'

const FileParams = Type.Object({ file: Type.String({ maxLength: 200 }) })

/** Serves the files of the web application from memory. Their names contain a hash, so that browsers can keep them forever. */
export function registerApplicationRoutes(
  app: FastifyInstance,
  { applicationFiles }: { applicationFiles?: ApplicationFiles },
): void {
  if (!applicationFiles) return
  app.route<{ Params: { file: string } }>({
    method: 'GET',
    url: '/assets/:file',
    config: { public: true, anyHost: true, unlimited: true, servedUnderLoad: true },
    schema: { hide: true, params: FileParams },
    handler: (request, reply) => {
      const file = applicationFiles.byName.get(request.params.file)
      if (!file) throw routeNotFound(request)
      return sendStaticFile(request, reply, file, immutableCache)
    },
  })
}
