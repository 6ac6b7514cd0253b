import { join } from 'node:path'
import type { RouteConfig, Routes } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import type { Services } from '#platform/module'
import { CodeFile, CodeFileQuery, CodeSearchQuery, CodeSearchResult, CodeTree } from './code-viewer.schemas.ts'
import { assertCodeViewerEnabled, getCodeFile } from './code-viewer.service.ts'
import { searchCode } from './search-code.ts'
import { loadSourceFiles, type SourceCode } from './source-files.ts'

const root = join(import.meta.dirname, '../../../..')
const limit: RouteLimit = { name: 'code_viewer', limit: 60, windowSeconds: 60, per: 'user' }
const config: RouteConfig = { scope: 'admin.read', humanOnly: true, limits: [limit] }

export const codeViewerRoutes =
  ({ clock }: Pick<Services, 'clock'>): Routes =>
  async (app) => {
    let loaded: Promise<SourceCode> | undefined
    const sourceCode = () => (loaded ??= loadSourceFiles(root, clock.now()))

    app.route({
      method: 'GET',
      url: '/api/admin/code-viewer/tree',
      config,
      schema: {
        operationId: 'getCodeTree',
        summary: 'List the source files',
        description:
          'Returns the files of this service that can be read, ordered by path. Test fixtures and files of more than 512 KiB are left out. ' +
          'The setting `security.code_viewer_enabled` turns the code viewer on; by default it is off, and its endpoints return 404.',
        response: { 200: CodeTree },
      },
      handler: async (request) => {
        await request.inTenant(assertCodeViewerEnabled)
        const { revision, generatedAt, files } = await sourceCode()
        return { revision, generated_at: generatedAt, files: [...files.values()] }
      },
    })

    app.route({
      method: 'GET',
      url: '/api/admin/code-viewer/file',
      config,
      schema: {
        operationId: 'getCodeFile',
        summary: 'Get a source file',
        description: 'Every access is recorded in the audit log.',
        querystring: CodeFileQuery,
        response: { 200: CodeFile },
      },
      handler: async (request) => {
        const code = await sourceCode()
        return await request.inTenant((tx) => getCodeFile(tx, code, request.query.path))
      },
    })

    app.route({
      method: 'GET',
      url: '/api/admin/code-viewer/search',
      config,
      schema: {
        operationId: 'searchCode',
        summary: 'Search the source files',
        description: 'Searches for a literal text. Stops after 200 matching lines or half a second.',
        querystring: CodeSearchQuery,
        response: { 200: CodeSearchResult },
      },
      handler: async (request) => {
        await request.inTenant(assertCodeViewerEnabled)
        const { q: query, file_type: fileType, limit } = request.query
        return await searchCode((await sourceCode()).files.values(), { query, fileType, limit })
      },
    })
  }
