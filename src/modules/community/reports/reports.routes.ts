import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { ThreadParams } from '../threads/threads.schemas.ts'
import { createThreadReport } from './create-report.flow.ts'
import {
  NewThreadReport,
  OwnThreadReport,
  ReportParams,
  ReportResolution,
  ThreadReport,
  ThreadReportFilter,
} from './reports.schemas.ts'
import { listThreadReports, updateThreadReport } from './reports.service.ts'

export const reportRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/community/threads/:thread_id/report',
      config: { scope: 'community.write', collectionPath: '/api/community/reports' },
      schema: {
        operationId: 'createThreadReport',
        summary: 'Create a report of a thread',
        description:
          'Reports the thread, or with `reply_id` a reply to it. Requires `reason`. A user reports a post once; a second report of it returns the first one with 200. Three open reports of ' +
          'different users hide the post, unless its author moderates the room. A user can create 20 reports per day, moderators of the room 100.',
        params: ThreadParams,
        body: NewThreadReport,
        response: { 200: OwnThreadReport, 201: OwnThreadReport },
      },
      handler: (request, reply) => {
        const { actor, params, body } = request
        const setStatus = (status: 200 | 201) => void reply.code(status)
        const input = { actor, params, body, setStatus, inTenant: request.inTenant.bind(request) }
        return createThreadReport(services, input)
      },
    })

    app.route({
      method: 'GET',
      url: '/api/community/reports',
      config: { scope: 'community.read' },
      schema: {
        operationId: 'listThreadReports',
        summary: 'List open reports',
        description: 'Reports of threads and replies in rooms that you moderate, newest first.',
        querystring: ThreadReportFilter,
        response: { 200: pageOf(ThreadReport) },
      },
      handler: (request) => request.inTenant((tx) => listThreadReports(tx, request.actor, request.query)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/community/reports/:report_id',
      config: { scope: 'community.write' },
      schema: {
        operationId: 'updateThreadReport',
        summary: 'Update a report of a thread',
        description:
          'Requires `resolution`. For moderators of the room. Keeps, hides or deletes the reported post and resolves all its open ' +
          'reports. `deleted` also requires the scope `community.delete`. A resolved report cannot be resolved differently.',
        params: ReportParams,
        body: ReportResolution,
        response: { 200: ThreadReport },
      },
      handler: (request) => {
        const { resolution } = request.body
        const input = { resolution, expectedVersion: expectedVersion(request), now: services.clock.now() }
        return request.inTenant((tx) => updateThreadReport(tx, request.actor, request.params.report_id, input))
      },
    })
  }
