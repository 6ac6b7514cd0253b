import { Type } from 'typebox'
import { fileResponses } from '#platform/files'
import { expectedVersion, FilePartSchema, ProblemDetails, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { listOf, strict } from '#platform/schema'
import { ItemParams } from '../content/content.schemas.ts'
import {
  addContentVersion,
  assertMayUpload,
  listContentVersions,
  removeContentFile,
  restoreContentVersion,
} from './content-versions.service.ts'
import { ContentVersion, FileParams, FileQuery, UploadedVersion, VersionParams } from './files.schemas.ts'
import { findContentFile } from './find-file.service.ts'

const MiB = 1_048_576
/** The largest accepted file, with its form. */
const bodyLimit = 2_049 * MiB
const bodySeconds = 3_600

export const contentFileRoutes =
  (services: Services): Routes =>
  async (app) => {
    const { files, clock } = services

    app.route({
      method: 'POST',
      url: '/api/enablement/content/:item_id/upload',
      config: { scope: 'content.write', body: 'multipart', bodyLimit, bodySeconds },
      schema: {
        operationId: 'uploadContentFile',
        summary: 'Upload a file',
        description:
          'Adds a version, for the owner and managers. A published item keeps its current version until the virus scan of the new file has ended. A file with the same content as the current one adds no version.',
        params: ItemParams,
        body: strict({
          file: FilePartSchema,
          note: Type.Optional(Type.String({ maxLength: 500, description: 'What changed in this version.' })),
        }),
        response: { 200: UploadedVersion, 201: UploadedVersion, 415: ProblemDetails },
      },
      handler: async (request, reply) => {
        const { item_id: itemId } = request.params
        const uploaded = await files.upload(request, reply, {
          purpose: 'content',
          check: (tx) => assertMayUpload(tx, itemId),
          save: async (tx, file, { note = null }) => {
            const uploaded = await addContentVersion(tx, services, {
              itemId,
              file: file!,
              note: note as string | null,
              expectedVersion: expectedVersion(request),
            })
            reply.code(uploaded.unchanged ? 200 : 201)
            return uploaded
          },
        })
        return uploaded as UploadedVersion
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/enablement/content/:item_id/file',
      config: { scope: 'content.delete' },
      schema: {
        operationId: 'removeContentFile',
        summary: 'Remove the file of a content item',
        description: 'For the owner and managers. An older version does not become the current one by itself.',
        params: ItemParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        await request.inTenant((tx) => removeContentFile(tx, services, request.params.item_id))
      },
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/content/:item_id/files/:filename',
      config: { scope: 'content.read', head: true, verifyTicket: files.tickets.verify },
      schema: {
        operationId: 'downloadContentFile',
        summary: 'Download a content file',
        description:
          '`filename` is the exact name of the file. Supports `Range`, `If-Range` and `If-None-Match`. A `ticket` from `stream_url` replaces the credential.',
        params: FileParams,
        querystring: FileQuery,
        response: fileResponses,
      },
      handler: async (request, reply) => {
        const { item_id: itemId, filename } = request.params
        const { version: versionNo, download: isDownload = false } = request.query
        return await files.send(request, reply, {
          findFileId: (tx) => findContentFile(tx, { itemId, filename, versionNo }, { isDownload, now: clock.now() }),
          isDownload,
        })
      },
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/content/:item_id/versions',
      config: { scope: 'content.read' },
      schema: {
        operationId: 'listContentVersions',
        summary: 'List versions of a content item',
        description: 'The newest 1,000 versions, newest first.',
        params: ItemParams,
        response: { 200: listOf(ContentVersion) },
      },
      handler: (request) => request.inTenant((tx) => listContentVersions(tx, services, request.params.item_id)),
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/content/:item_id/versions/:version_no/restore',
      config: { scope: 'content.write' },
      schema: {
        operationId: 'restoreContentVersion',
        summary: 'Restore a content version',
        description: 'Adds a version with the file of an older one. A removed file can be restored for 30 days.',
        params: VersionParams,
        response: { 201: UploadedVersion },
      },
      handler: (request) => {
        const { item_id, version_no } = request.params
        const input = { versionNo: version_no, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => restoreContentVersion(tx, services, item_id, input))
      },
    })
  }
