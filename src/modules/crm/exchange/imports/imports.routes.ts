import { Type } from 'typebox'
import { FilePartSchema, ProblemDetails, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf, strict } from '#platform/schema'
import {
  ImportParams,
  ImportQuery,
  ImportRow,
  ImportRowQuery,
  ImportRun,
  ListedImport,
  NewMapping,
  RecordImport,
  StartedImport,
  uploadFields,
} from '../import-mapping/import.schemas.ts'
import type { ImportedType } from '../import-mapping/import-fields.rules.ts'
import { openErrorsFile } from './errors-file.flow.ts'
import { getImport, listImportedRows, listImports } from './get-import.service.ts'
import { cancelImport, startImport, undoImport } from './start-import.service.ts'
import { updateImportMapping } from './update-mapping.service.ts'
import { uploadImport } from './upload-import.flow.ts'

export const importedTypes: ImportedType[] = ['lead', 'contact']
const names = { lead: 'Lead', contact: 'Contact' } as const
const MiB = 1_048_576
const CsvFile = {
  description: 'A CSV file with a byte order mark.',
  content: { 'text/csv': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } },
}

export const importRoutes =
  (objectType: ImportedType, services: Services): Routes =>
  async (app) => {
    const name = names[objectType]
    const noun = `${objectType}s` as const
    const url = `/api/${noun}/imports`
    const [read, write, deletion] = [`${noun}.read`, `${noun}.write`, `${noun}.delete`] as const

    app.route({
      method: 'POST',
      url,
      config: { scope: write, body: 'multipart', bodyLimit: 51 * MiB, bodySeconds: 600 },
      schema: {
        operationId: `upload${name}Import`,
        summary: `Upload a CSV file of ${noun}`,
        description:
          'The part `file` is a CSV file with a header: at most 50 MiB, 200,000 rows and 200 columns, in UTF-8, UTF-16 or Windows-1252, with ' +
          'commas, semicolons, tabs or vertical bars between the cells. Other encodings must be given, because they cannot be detected. ' +
          'Nothing is imported yet: the response has the columns, the first five rows, a suggested mapping and what to check. An apostrophe before `=`, `+`, `-` and `@` is removed, as exports add it. Files and rows are ' +
          'deleted after 30 days.',
        body: strict({ file: FilePartSchema, ...uploadFields }),
        response: { 201: RecordImport, 413: ProblemDetails, 415: ProblemDetails },
      },
      handler: async (request, reply) => {
        reply.code(201)
        return (await uploadImport(request, reply, objectType, services)) as RecordImport
      },
    })

    app.route({
      method: 'GET',
      url,
      config: { scope: read },
      schema: {
        operationId: `list${name}Imports`,
        summary: `List imports of ${noun}`,
        description: 'Newest first. Managers and admins see all imports, other users their own.',
        querystring: ImportQuery,
        response: { 200: pageOf(ListedImport) },
      },
      handler: (request) => request.inTenant((tx) => listImports(tx, request.actor, objectType, request.query)),
    })

    app.route({
      method: 'GET',
      url: `${url}/:import_id`,
      config: { scope: read },
      schema: {
        operationId: `get${name}Import`,
        summary: `Get an import of ${noun}`,
        params: ImportParams,
        response: { 200: RecordImport },
      },
      handler: (request) =>
        request.inTenant((tx) => getImport(tx, request.actor, objectType, request.params.import_id)),
    })

    app.route({
      method: 'PUT',
      url: `${url}/:import_id/mapping`,
      config: { scope: write },
      schema: {
        operationId: `update${name}ImportMapping`,
        summary: `Update the mapping of imported ${noun}`,
        description:
          'Replaces the mapping and the options. The result of an earlier dry run is deleted. A failed, cancelled or undone import can be ' +
          'mapped and run again once its written rows are undone; others cannot be changed after the run.',
        params: ImportParams,
        body: NewMapping,
        response: { 200: RecordImport },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          updateImportMapping(tx, request.actor, objectType, request.params.import_id, request.body, services),
        ),
    })

    app.route({
      method: 'POST',
      url: `${url}/:import_id/run`,
      config: { scope: write },
      schema: {
        operationId: `start${name}Import`,
        summary: `Start an import of ${noun}`,
        description:
          'Imports the rows in a task, or only checks them. Missing cells at the end of a row are blank. Errors of a row do not stop the others, but if more than half of the first 1,000 ' +
          'rows fail, the import is stopped. Imports start no response times and assign no owners unless the options say so, and never enrich records.',
        params: ImportParams,
        body: ImportRun,
        response: { 202: StartedImport },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          startImport(tx, request.actor, objectType, request.params.import_id, request.body, services),
        ),
    })

    app.route({
      method: 'POST',
      url: `${url}/:import_id/cancel`,
      config: { scope: write },
      schema: {
        operationId: `cancel${name}Import`,
        summary: `Cancel an import of ${noun}`,
        description: 'Ends a run, dry run or undo after its current batch. Rows that are done stay.',
        params: ImportParams,
        response: { 200: ListedImport },
      },
      handler: (request) =>
        request.inTenant((tx) => cancelImport(tx, request.actor, objectType, request.params.import_id, services)),
    })

    app.route({
      method: 'GET',
      url: `${url}/:import_id/rows`,
      config: { scope: read },
      schema: {
        operationId: `list${name}ImportRows`,
        summary: `List rows of an import`,
        description: 'In the order of the file, with what happened to each row or would happen after a dry run.',
        params: ImportParams,
        querystring: ImportRowQuery,
        response: { 200: pageOf(ImportRow) },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          listImportedRows(tx, request.actor, objectType, request.params.import_id, request.query),
        ),
    })

    app.route({
      method: 'GET',
      url: `${url}/:import_id/errors.csv`,
      config: { scope: read },
      schema: {
        operationId: `download${name}ImportErrors`,
        summary: 'Download failed rows of an import',
        description:
          'The failed rows with the columns of the file, their numbers and the reasons. The corrected file can be uploaded again.',
        params: ImportParams,
        response: { 200: CsvFile },
      },
      handler: async (request, reply) => {
        const { import_id: id } = request.params
        const file = await openErrorsFile(request.actor, objectType, id, (work) => request.inTenant(work))
        return await reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', 'attachment; filename="errors.csv"')
          .send(file as never)
      },
    })

    app.route({
      method: 'POST',
      url: `${url}/:import_id/undo`,
      config: { scope: write, scopes: [deletion] },
      schema: {
        operationId: `undo${name}Import`,
        summary: `Undo an import of ${noun}`,
        description:
          'Within 7 days, deletes the records that the import created and resets the fields that it changed, in a task. Records that were ' +
          `edited since, that have activities, open tasks, sent emails or deals, or that the user may not delete are kept and reported; accounts and consent stay. Also requires the scope \`${deletion}\`.`,
        params: ImportParams,
        response: { 202: StartedImport },
      },
      handler: (request) =>
        request.inTenant((tx) => undoImport(tx, request.actor, objectType, request.params.import_id, services)),
    })
  }
