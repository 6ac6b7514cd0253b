export type { FastifyPluginAsyncTypebox as Routes } from '@fastify/type-provider-typebox'
export { type ApplicationFiles, findBuildProblem, readApplicationFiles } from './application/application-files.ts'
export type {
  Authentication,
  AuthenticationRequest,
  CountedRequest,
  RequestAuthenticator,
  RequestSource,
} from './authentication.ts'
export { type FilePart, FilePartSchema, receiveMultipart } from './body/multipart-body.ts'
export { measureRequests } from './measure-requests.ts'
export { findCookie, formatCookie } from './network/headers.ts'
export type { FieldTexts } from './openapi/field-texts.ts'
export { ProblemDetails } from './problem.ts'
export { sendCacheable, sendPublicPage } from './public/send-page.ts'
export { type Credential, type Host, readCredential, readHost } from './read-request.ts'
export type { RequestOutcome } from './request-outcome.ts'
export { expectedVersion, setAcceptedStatus, toArrayResponse } from './response-conventions.ts'
export type { FileTicket, RequestTransaction, RouteConfig, Workspace } from './route-config.ts'
export { createHttp, type Lifecycle } from './server.ts'
export { cacheFile, createStaticFile, type StaticFile, sendStaticFile } from './static-file.ts'
export { createSerializer } from './validation/validation.ts'
