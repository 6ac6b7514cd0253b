import { Type } from 'typebox'
import { FilePartSchema, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { deleteFile, type FilePurpose, FileSummary, restoreFile, toFileSummary } from './index.ts'

const MiB = 1_048_576
/** Ids of users that may no longer read files. */
export const revokedReaders = new Set<string | null>()
export const quarantined: string[] = []

export const purposes: FilePurpose[] = [
  {
    name: 'test_content',
    accepts: ['document', 'image', 'video', 'audio'],
    mayRead: async (_tx, _file, { userId }) => !revokedReaders.has(userId),
    onQuarantined: async (_tx, { id }) => void quarantined.push(id),
  },
  { name: 'test_logo', accepts: ['image'], maxBytes: MiB, mayRead: async () => true },
]

const item = strict({ item_id: Id })
const url = '/api/enablement/content/test/:item_id'

export const fileRoutes =
  ({ files, clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/enablement/content/test/:purpose/upload',
      config: { scope: 'content.write', body: 'multipart', bodyLimit: 2_200 * MiB, bodySeconds: 3_600 },
      schema: {
        hide: true,
        params: strict({ purpose: Type.String() }),
        body: strict({ title: Type.Optional(Type.String({ maxLength: 100 })), file: FilePartSchema }),
        response: { 201: FileSummary },
      },
      handler: (request, reply) =>
        files.upload(request, reply, {
          purpose: request.params.purpose,
          save: async (_tx, file) => toFileSummary(file!),
        }) as never,
    })
    for (const isPublic of [false, true])
      app.route({
        method: 'GET',
        url: isPublic ? '/api/enablement/content/test-public/:item_id/file' : `${url}/file`,
        config: isPublic
          ? { public: true, head: true }
          : { scope: 'content.read', head: true, verifyTicket: files.tickets.verify },
        schema: {
          hide: true,
          params: item,
          querystring: strict({ ticket: Type.Optional(Type.String()), download: Type.Optional(Type.Boolean()) }),
        },
        handler: (request, reply) =>
          files.send(request, reply, {
            findFileId: async () => request.params.item_id,
            isDownload: request.query.download,
            isPublic,
          }),
      })
    app.route({
      method: 'DELETE',
      url: `${url}/file`,
      config: { scope: 'content.delete' },
      schema: { hide: true, params: item, response: { 204: Type.Null() } },
      handler: (request) => request.inTenant((tx) => deleteFile(tx, { clock }, request.params.item_id)),
    })
    app.route({
      method: 'POST',
      url: `${url}/restore`,
      config: { scope: 'content.write' },
      schema: { hide: true, params: item, response: { 200: FileSummary } },
      handler: (request) =>
        request.inTenant(async (tx) => toFileSummary(await restoreFile(tx, { clock }, request.params.item_id))),
    })
  }
