import { fileResponses } from '#platform/files'
import { ProblemDetails, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { SurveyParams } from '../../design/survey-records/surveys.schemas.ts'
import { exportSurvey, findExportFileId } from './export-survey.service.ts'
import { ExportParams, StartedExport } from './exports.schemas.ts'

export const exportRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/surveys/:survey_id/export',
      config: { scope: 'surveys.write', scopes: ['leads.read', 'contacts.read'] },
      schema: {
        operationId: 'exportSurvey',
        summary: 'Export the responses of a survey',
        description:
          'Writes a CSV file in a task, whose result has the `download_url`. The file can be downloaded for 24 hours. Of an anonymous survey, it has rows after the end only, without order, days and languages: texts beside the score, and the other answers if enough respondents gave the same ones.',
        params: SurveyParams,
        response: { 202: StartedExport },
      },
      handler: (request) =>
        request.inTenant((tx) => exportSurvey(tx, request.actor, request.params.survey_id, services)),
    })

    app.route({
      method: 'GET',
      url: '/api/surveys/:survey_id/exports/:export_id/file',
      config: { scope: 'surveys.read', scopes: ['leads.read', 'contacts.read'], head: true },
      schema: {
        operationId: 'downloadSurveyExport',
        summary: 'Download an export of a survey',
        description: 'After 24 hours the response is 410.',
        params: ExportParams,
        response: { ...fileResponses, 410: ProblemDetails },
      },
      handler: async (request, reply) =>
        await services.files.send(request, reply, {
          findFileId: (tx) => findExportFileId(tx, request.params, services),
          isDownload: true,
        }),
    })
  }
