import type { RouteConfig, Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { AcceptedTask } from '#platform/schema'
import { RemoveSampleDataQuery, SampleDataStatus } from './sample-data.schemas.ts'
import { getSampleDataStatus, startSampleDataLoad, startSampleDataRemoval } from './sample-data.service.ts'

const config: RouteConfig = { scope: 'admin.write', humanOnly: true }

export const sampleDataRoutes =
  ({ clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/admin/demo-data-status',
      config: { scope: 'admin.read' },
      schema: {
        operationId: 'getSampleDataStatus',
        summary: 'Get the status of sample data',
        response: { 200: SampleDataStatus },
      },
      handler: (request) => request.inTenant(getSampleDataStatus),
    })

    app.route({
      method: 'POST',
      url: '/api/admin/load-sample-data',
      config,
      schema: {
        operationId: 'loadSampleData',
        summary: 'Load sample data',
        description:
          'Starts a background task that creates users, companies, contacts, leads and deals of a fictitious company. No emails are sent and ' +
          'the users cannot sign in. Returns 409 `already_exists` if sample data is loaded.',
        response: { 202: AcceptedTask },
      },
      handler: (request) => request.inTenant((tx) => startSampleDataLoad(tx, request.actor, clock.now())),
    })

    app.route({
      method: 'DELETE',
      url: '/api/admin/sample-data',
      config: { ...config, scope: 'admin.delete' },
      schema: {
        operationId: 'removeSampleData',
        summary: 'Remove sample data',
        description:
          'Starts a background task that deletes exactly the sample records. Records that users have changed are kept unless ' +
          '`include_modified` is true, and so are records that others need.',
        querystring: RemoveSampleDataQuery,
        response: { 202: AcceptedTask },
      },
      handler: (request) =>
        request.inTenant((tx) => startSampleDataRemoval(tx, { includeModified: request.query.include_modified })),
    })
  }
