import { Type } from 'typebox'
import { fileResponses } from '#platform/files'
import { expectedVersion, FilePartSchema, ProblemDetails, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { strict } from '#platform/schema'
import { recordingFields, Submission, SubmissionParams } from '../submissions/submissions.schemas.ts'
import { maxVideoBytes, pitchVideoPurpose } from './videos.purposes.ts'
import { assertMayUpload, findPitchVideo, uploadPitchVideo } from './videos.service.ts'

const MiB = 1_048_576
const bodySeconds = 3_600

const VideoQuery = strict({
  ticket: Type.Optional(Type.String({ maxLength: 2_000, description: 'From `stream_url`; replaces the credential.' })),
  download: Type.Optional(Type.Boolean({ description: 'Send the file as an attachment.' })),
})

export const pitchVideoRoutes =
  (services: Services): Routes =>
  async (app) => {
    const { files } = services

    app.route({
      method: 'POST',
      url: '/api/enablement/pitch/submissions/:submission_id/upload',
      config: {
        scope: 'pitch.write',
        notWhileImpersonating: true,
        body: 'multipart',
        bodyLimit: maxVideoBytes + MiB,
        bodySeconds,
      },
      schema: {
        operationId: 'uploadPitchVideo',
        summary: 'Upload a pitch recording',
        description:
          'For the author of a draft. Requires `video`, a video or audio file of up to 1 GiB, or `transcript`, or both. The pitch is submitted, and its reviewers are notified.',
        params: SubmissionParams,
        body: strict({ video: Type.Optional(FilePartSchema), ...recordingFields }),
        response: { 201: Submission, 415: ProblemDetails },
      },
      handler: async (request, reply) => {
        const { submission_id: id } = request.params
        const { actor } = request
        const isRepeatable = request.headers['idempotency-key'] !== undefined
        reply.code(201)
        const uploaded = await files.upload(request, reply, {
          purpose: pitchVideoPurpose.name,
          check: (tx) => assertMayUpload(tx, actor, id, { isRepeatable }),
          save: (tx, file, fields) =>
            uploadPitchVideo(tx, services, actor, id, { file, fields, expectedVersion: expectedVersion(request) }),
        })
        return uploaded as Submission
      },
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/pitch/submissions/:submission_id/video',
      config: { scope: 'pitch.read', head: true, verifyTicket: files.tickets.verify },
      schema: {
        operationId: 'downloadPitchVideo',
        summary: 'Download a pitch video',
        description:
          'For users who see the submission. Supports `Range`, `If-Range` and `If-None-Match`. A `ticket` from `stream_url` replaces the credential. After the retention period the response is 410 `video_deleted`.',
        params: SubmissionParams,
        querystring: VideoQuery,
        response: { ...fileResponses, 410: ProblemDetails },
      },
      handler: async (request, reply) => {
        const reader = { actor: request.actor ?? null, ticket: request.ticket ?? null }
        return await files.send(request, reply, {
          findFileId: (tx) => findPitchVideo(tx, request.params.submission_id, reader),
          isDownload: request.query.download ?? false,
        })
      },
    })
  }
